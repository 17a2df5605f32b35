"""The names under which `import mindspore` finds all this."""
