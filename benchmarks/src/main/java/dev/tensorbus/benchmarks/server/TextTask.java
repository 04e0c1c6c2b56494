// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.gpt.Gpt;
import dev.tensorbus.models.gpt.GptOptions;
import dev.tensorbus.models.text.Characters;
import dev.tensorbus.models.text.TokenWindows;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.optim.AdamW;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// The next character of a text, which several trainers teach a small GPT.
final class TextTask {
  private static final int CONTEXT = 32;
  private static final int SIZE = 64;
  private static final int LAYERS = 2;
  private static final int HEADS = 4;
  private static final int BATCH = 16;
  private static final double LEARNING_RATE = 0.002;

  /// The number of windows at the end of the text that are held out.
  private static final int HELD_OUT = 256;

  private final Dataset<Batch> windows;
  private final int vocabulary;

  TextTask(String text) {
    Characters characters = Characters.of(text);
    vocabulary = characters.size();
    windows = TokenWindows.of(characters.encode(text), CONTEXT);
  }

  /// Returns the number of samples in some steps.
  static int samples(int steps) {
    return steps * BATCH;
  }

  /// Trains as one of several trainers, and returns the mean loss on the windows that are held out.
  float train(Rpc rpc, StoreOptions options, int steps) {
    Gpt gpt =
        new Gpt(
            new GptOptions(vocabulary, CONTEXT, SIZE, LAYERS, HEADS, 0), new SplittableRandom(1));
    RandomGenerator random = new SplittableRandom(rpc.self().id());
    try (var store = ParameterStore.join(rpc, gpt, new AdamW(LEARNING_RATE), options)) {
      for (int step = 0; step < steps; step++) {
        store.pull().await();
        int[] chosen = random.ints(BATCH, 0, windows.size() - HELD_OUT).toArray();
        loss(gpt, batch(chosen)).backward();
        store.push(BATCH).await();
      }
      store.pull().await();
    }
    int[] heldOut = IntStream.range(windows.size() - HELD_OUT, windows.size()).toArray();
    return NoGrad.call(() -> loss(gpt, batch(heldOut)).item());
  }

  private Batch batch(int... chosen) {
    List<Batch> batches = IntStream.of(chosen).mapToObj(windows::get).toList();
    return Batch.concatenate(batches);
  }

  private static Tensor loss(Gpt gpt, Batch batch) {
    Tensor scores = gpt.forward(batch.inputs());
    int rows = batch.inputs().shape().elements();
    int classes = scores.shape().size(2);
    return Losses.crossEntropy(scores.reshape(rows, classes), batch.targets().reshape(rows));
  }
}
