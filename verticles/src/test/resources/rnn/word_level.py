# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's model learns of the same text in as many steps as `tensorbus train rnn --data TEXT --test OTHER`.

    python3 word_level.py TEXT OTHER [EPOCHS] [SEED]

The sizes, the schedule and the cut of the text are those of Hyperparameters.WORD_LEVEL, in one process. The figures in
docs/tutorials/rnn.md are from PyTorch 1.13.1.
"""
import math
import sys
import time

import torch
import torch.nn as nn

COLUMNS, STEPS, SIZE, LAYERS, DROPOUT, CLIP = 20, 35, 200, 2, 0.2, 0.25


def words_of(path):
    with open(path, encoding="utf-8") as file:
        return [word for line in file for word in line.split() + ["<eos>"]]


def columns_of(words, numbers):
    text = torch.tensor([numbers.get(word, 0) for word in words])
    length = len(text) // COLUMNS
    return text[: length * COLUMNS].view(COLUMNS, length).t().contiguous()


def batches(columns):
    for start in range(0, len(columns) - 1, STEPS):
        end = min(start + STEPS, len(columns) - 1)
        yield columns[start:end], columns[start + 1 : end + 1].reshape(-1)


class Model(nn.Module):
    def __init__(self, tokens):
        super().__init__()
        self.drop = nn.Dropout(DROPOUT)
        self.encoder = nn.Embedding(tokens, SIZE)
        self.rnn = nn.LSTM(SIZE, SIZE, LAYERS, dropout=DROPOUT)
        self.decoder = nn.Linear(SIZE, tokens)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, words, state):
        output, state = self.rnn(self.drop(self.encoder(words)), state)
        return self.decoder(self.drop(output)).view(-1, self.decoder.out_features), state


def run(model, columns, rate=None):
    """Goes through a text once, learning at this rate if there is one, and gives the perplexity."""
    state, total = None, 0.0
    for words, labels in batches(columns):
        state = None if state is None else tuple(part.detach() for part in state)
        scores, state = model(words, state)
        loss = nn.functional.cross_entropy(scores, labels)
        total += loss.item() * len(labels)
        if rate is not None:
            model.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), CLIP)
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter -= rate * parameter.grad
    return math.exp(total / (COLUMNS * (len(columns) - 1)))


def main():
    epochs, seed = (int(value) for value in (sys.argv[3:] + ["4", "1"][len(sys.argv) - 3 :]))
    torch.manual_seed(seed)
    text = words_of(sys.argv[1])
    numbers = {"<unk>": 0, "<eos>": 1}
    for word in text:
        numbers.setdefault(word, len(numbers))
    training, test = columns_of(text, numbers), columns_of(words_of(sys.argv[2]), numbers)
    model, rate = Model(len(numbers)), 20.0
    print(f"PyTorch {torch.__version__}, seed {seed}, {len(text)} words, {len(numbers)} different", flush=True)
    for epoch in range(epochs):
        start = time.time()
        model.train()
        learned = run(model, training, rate)
        seconds = time.time() - start
        model.eval()
        with torch.no_grad():
            held_out = run(model, test)
        print(f"epoch {epoch + 1} rate {rate}: perplexity in training {learned:.2f}, held out {held_out:.2f}, {seconds:.0f} s", flush=True)
        rate /= 2


main()
