"""Train an LSTM to tell in which language a word is written: English or Python. The words come from this repository.

python examples/lstm.py
"""

import builtins
import keyword
import re
from pathlib import Path

import numpy as np

import mycel as ms
from mycel import Tensor, nn

ROOT = Path(__file__).resolve().parent.parent
LENGTH, WIDTH, EPOCHS, BATCH = 14, 32, 8, 64
LETTERS = " abcdefghijklmnopqrstuvwxyz_"


def load():
    """Words of the pages in docs/, and names of the standard library, each as LENGTH numbers; which is which."""
    text = " ".join(path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md")))
    text = re.sub(r"```.*?```|`[^`]*`", " ", text, flags=re.S).lower()
    english = set(re.findall(r"\b[a-z]{4,14}\b", text))
    names = {name for module in (builtins, np, keyword, re, str, Path) for name in dir(module)}
    python = {name.lower() for name in names if re.fullmatch(r"[A-Za-z_]{4,14}", name)} - english
    words = [(word, 0) for word in sorted(english)[:900]] + [(word, 1) for word in sorted(python)[:900]]
    order = np.random.default_rng(0).permutation(len(words))
    tokens = np.array([[LETTERS.index(c) for c in words[i][0].ljust(LENGTH)] for i in order], np.int32)
    return tokens, np.array([words[i][1] for i in order], np.int32)


class Classifier(nn.Cell):
    """An LSTM reads the letters; a dense layer reads its last hidden state."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(LETTERS), 16)
        self.lstm = nn.LSTM(16, WIDTH, batch_first=True, bidirectional=True)
        self.out = nn.Dense(2 * WIDTH, 2)

    def construct(self, tokens):
        states, _ = self.lstm(self.embedding(tokens))
        return self.out(states.max(axis=1))


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    tokens, labels = load()
    split = len(labels) * 4 // 5
    net, loss_fn = Classifier(), nn.CrossEntropyLoss()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), nn.Adam(net.trainable_params(), learning_rate=5e-3))
    step.set_train()

    print(f"{split} words to train on, {len(labels) - split} to test")
    generator = np.random.default_rng(1)
    for epoch in range(1, EPOCHS + 1):
        order = generator.permutation(split)
        batches = [order[start : start + BATCH] for start in range(0, split - BATCH + 1, BATCH)]
        losses = [float(step(Tensor(tokens[batch]), Tensor(labels[batch]))) for batch in batches]
        print(f"epoch {epoch}  loss {np.mean(losses):.3f}")
    guesses = net(Tensor(tokens[split:])).asnumpy().argmax(1)
    print(f"test accuracy {np.mean(guesses == labels[split:]):.2%}")


if __name__ == "__main__":
    main()
