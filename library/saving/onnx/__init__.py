"""Networks as ONNX files, which other runtimes and viewers read."""
