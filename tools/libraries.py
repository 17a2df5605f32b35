"""Run the models of installed libraries that are written for MindSpore: eagerly, compiled, and with their gradients.

    pip install --no-deps mindcv==0.3.0 mindone==0.5.0
    pip install pyyaml tqdm pillow scipy transformers==4.57.1 diffusers==0.35.1 trampoline omegaconf better-profanity
    python tools/libraries.py mindcv [NAME ...]
    python tools/libraries.py transformers [FAMILY ...]

`mindcv` builds its models as they are. `transformers` builds those of mindone with a few small layers, as far as their
configurations have the usual fields. A line says what happened to a model: `ok`, how long it took to compile it twice,
and how far the eager and the compiled result are apart, relative to the largest number; or where it stopped. `build`
and `eager` are errors of the library's, or of inputs that do not fit: neither has to do with compiling.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import mycel

mycel.install_as_mindspore()

import mindspore as ms  # noqa: E402

SIZES = {
    32: "hidden_size n_embd d_model dim embedding_size word_embed_proj_dim image_size",
    64: "max_position_embeddings n_positions",
    48: "intermediate_size n_inner encoder_ffn_dim decoder_ffn_dim d_ff hidden_dim ffn_dim",
    24: "moe_intermediate_size shared_expert_intermediate_size",
    16: "q_lora_rank kv_lora_rank",
    8: "d_kv head_dim patch_size state_size qk_nope_head_dim v_head_dim",
    4: "num_attention_heads n_head encoder_attention_heads decoder_attention_heads num_heads n_heads num_experts "
    "num_local_experts n_routed_experts qk_rope_head_dim",
    2: "num_hidden_layers num_key_value_heads n_layer num_layers encoder_layers decoder_layers n_layers "
    "type_vocab_size num_experts_per_tok expand eos_token_id",
    1: "bos_token_id n_group topk_group n_shared_experts first_k_dense_replace",
    0: "pad_token_id use_cache attention_probs_dropout_prob hidden_dropout_prob attention_dropout dropout resid_pdrop "
    "embd_pdrop attn_pdrop",
}
SMALL = {"vocab_size": 99, **{name: size for size, names in SIZES.items() for name in names.split()}}
KINDS = ("Model", "ForCausalLM", "ForMaskedLM", "ForConditionalGeneration", "ForSequenceClassification",
         "ForImageClassification", "LMHeadModel")  # fmt: skip
LARGEST = 8_000_000  # numbers in the Parameters of a model of `transformers` that is run

Made = tuple[str, Callable[[], tuple[Any, list[Any]]]]
"""A model's name, and what gives its function and arguments."""


def first(value: Any) -> Any:
    """The first tensor of a result."""
    while not isinstance(value, ms.Tensor):
        parts = value.values() if hasattr(value, "values") else value
        value = next(part for part in parts if part is not None)
    return value


def vision(names: list[str]) -> Iterator[Made]:
    """The models of mindcv, on two images."""
    from mindcv.models import create_model, list_models

    def make(name: str) -> tuple[Any, list[Any]]:
        net = create_model(name, num_classes=10)
        return net, [ms.Tensor(np.random.randn(2, 3, 224, 224).astype(np.float32))]

    for name in names or list_models():
        yield name, partial(make, name)


def fields(config: Any) -> dict[str, Any]:
    """The fields of a configuration that make a model small, and their values."""
    given = {name: getattr(config, name, None) for name in SMALL}
    return {name: type(value)(SMALL[name]) for name, value in given.items() if isinstance(value, (int, float))}


def shrink(config: Any) -> None:
    """Make a configuration, and those in it, small."""
    for name, value in fields(config).items():
        setattr(config, name, value)
    for part in vars(config).values():
        if type(part).__name__.endswith("Config"):
            shrink(part)


def language(names: list[str]) -> Iterator[Made]:
    """The models of mindone.transformers that take words or images, with few and small layers."""
    import mindone.transformers

    folder = Path(mindone.transformers.__file__).parent / "models"
    for family in names or sorted(path.name for path in folder.iterdir() if path.is_dir()):
        try:
            module = importlib.import_module(f"mindone.transformers.models.{family}.modeling_{family}")
        except ImportError:
            continue
        for kind in list(vars(module).values()):
            own = inspect.isclass(kind) and kind.__module__ == module.__name__ and kind.__name__.endswith(KINDS)
            if own and "PreTrained" not in kind.__name__ and getattr(kind, "config_class", None) is not None:
                yield f"{family}.{kind.__name__}", partial(small, kind)


def small(kind: Any) -> tuple[Any, list[Any]]:
    """A small model of a class of mindone.transformers as a function of its usual inputs, and the inputs."""
    config = kind.config_class(**fields(kind.config_class()))  # some fields follow from others
    shrink(config)
    net = kind(config)
    if sum(parameter.size for parameter in net.get_parameters()) > LARGEST:
        raise ValueError("its configuration has other fields: it would be large")
    wanted = inspect.signature(net.construct).parameters
    words = ms.Tensor(np.random.randint(3, 90, (2, 12)), ms.int64)
    image = ms.Tensor(np.random.randn(2, getattr(config, "num_channels", 3), 32, 32).astype(np.float32))
    given = {"input_ids": words, "decoder_input_ids": words[:, :7], "attention_mask": ms.ops.ones_like(words)}
    inputs = {name: value for name, value in given.items() if name in wanted and "input_ids" in wanted}
    if not inputs and "pixel_values" in wanted:
        inputs = {"pixel_values": image}
    names, options = list(inputs), {"return_dict": False} if "return_dict" in wanted else {}

    class Model(ms.nn.Cell):
        """The model with inputs by position."""

        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def construct(self, *values: Any) -> Any:
            return self.net(**dict(zip(names, values, strict=True)), **options)

    return Model(), list(inputs.values())


def apart(one: Any, other: Any) -> float:
    """The largest difference between two arrays, relative to the largest number."""
    one, other = one.asnumpy().astype(np.float64), other.asnumpy().astype(np.float64)
    return float(np.abs(one - other).max() / max(np.abs(one).max(), 1e-6)) if one.size else 0.0


def tried(make: Callable[[], tuple[Any, list[Any]]]) -> tuple[str, str]:
    """Where a model stopped, or "ok", and what to say of it."""
    ms.set_seed(1)
    np.random.seed(1)
    stage = "build"
    try:
        ms.set_context(mode=ms.PYNATIVE_MODE)
        net, inputs = make()
        net.set_train(False)
        stage = "eager"
        eager = first(net(*inputs))
        stage, start = "graph", time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            compiled = first(ms.jit(lambda *values: first(net(*values)))(*inputs))
            stage = "gradient"

            def loss(*values: Any) -> Any:
                return (first(net(*values)).float() ** 2).mean()

            _, gradients = ms.jit(ms.value_and_grad(loss, None, net.trainable_params()))(*inputs)
        if not all(np.isfinite(gradient.asnumpy()).all() for gradient in gradients):
            return stage, "not all numbers are finite"
    except Exception as error:  # of the library, of mycel: all are to be seen
        return stage, f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
    if not apart(eager, compiled) < 1e-3:
        return "different", f"apart {apart(eager, compiled):.0e}"
    falls = any(issubclass(each.category, mycel.FallbackWarning) for each in caught)
    took = f"{time.perf_counter() - start:.1f} s, apart {apart(eager, compiled):.0e}"
    return "fallback" if falls else "ok", took


def main() -> None:
    """Run the models, a line for each, and count how they ended."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("library", choices=("mindcv", "transformers"))
    parser.add_argument("names", nargs="*", help="models of mindcv, or families of transformers; all if none is given")
    options = parser.parse_args()
    ends: Counter[str] = Counter()
    models = (vision if options.library == "mindcv" else language)(options.names)
    for name, make in models:
        end, told = tried(make)
        ends[end] += 1
        print(f"{name:48} {end:8} {told}", flush=True)
    print(", ".join(f"{count} {end}" for end, count in ends.most_common()))


if __name__ == "__main__":
    main()
