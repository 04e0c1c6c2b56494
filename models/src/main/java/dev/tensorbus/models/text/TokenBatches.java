// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.Dataset;
import java.util.Objects;
import java.util.SplittableRandom;

/// The batches of a text for truncated backpropagation through time. The text is cut into columns
/// of equal length. Each batch contains the next `steps` words of every column, so the batches must
/// be read in order. Words left over after the last column are dropped.
public final class TokenBatches implements Dataset<TokenBatch> {
  private final int[] tokens;
  private final int columns;
  private final int steps;
  private final int length;

  /// @param tokens the token ids of the text
  /// @param columns number of columns, the batch size
  /// @param steps maximum number of words per column in a batch
  /// @throws DataException if the text is too short
  public TokenBatches(int[] tokens, int columns, int steps) {
    if (columns < 1 || steps < 1) {
      throw new IllegalArgumentException(
          "token batches: columns %d, steps %d; expected at least 1 of each"
              .formatted(columns, steps));
    }
    this.tokens = tokens.clone();
    this.columns = columns;
    this.steps = steps;
    this.length = tokens.length / columns;
    if (length < 2) {
      throw new DataException(
          ("a text of %d words is too short for %d columns of at least 2; use a longer text or a"
                  + " smaller batch")
              .formatted(tokens.length, columns));
    }
  }

  /// Creates a batch of random words and random labels.
  ///
  /// @param words size of the vocabulary
  public static TokenBatch random(int words, int columns, int steps, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Shape shape = Shape.of(steps, columns);
    long[] inputs = random.longs(shape.elements(), 0, words).toArray();
    long[] labels = random.longs(shape.elements(), 0, words).toArray();
    return new TokenBatch(Tensor.of(shape, inputs), Tensor.of(labels));
  }

  /// Returns the number of batches.
  @Override
  public int size() {
    return Math.ceilDiv(length - 1, steps);
  }

  /// Returns the total number of words to predict in all batches.
  public int words() {
    return (length - 1) * columns;
  }

  @Override
  public TokenBatch get(int index) {
    int start = Objects.checkIndex(index, size()) * steps;
    return batch(start, Math.min(length - 1, start + steps));
  }

  private TokenBatch batch(int start, int end) {
    long[] inputs = new long[(end - start) * columns];
    long[] labels = new long[inputs.length];
    int next = 0;
    for (int step = start; step < end; step++) {
      for (int column = 0; column < columns; column++) {
        int place = column * length + step;
        inputs[next] = tokens[place];
        labels[next++] = tokens[place + 1];
      }
    }
    return new TokenBatch(Tensor.of(Shape.of(end - start, columns), inputs), Tensor.of(labels));
  }
}
