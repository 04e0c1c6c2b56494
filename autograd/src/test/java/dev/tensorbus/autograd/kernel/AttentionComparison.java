// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionMask;
import dev.tensorbus.autograd.kernel.attention.AttentionShape;
import dev.tensorbus.autograd.kernel.attention.DropoutFactors;
import org.jspecify.annotations.Nullable;

/// Attention and its gradients.
final class AttentionComparison extends Comparison {
  AttentionComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  /// A single value, then parts of tiles and of chunks on every side.
  @Override
  void run() {
    all(shape(1, 1, 1, 1, 1, 1));
    all(shape(2, 3, 5, 7, 4, 3));
    all(shape(1, 2, 33, 17, 9, 33));
    all(shape(2, 1, 16, 130, 16, 8));
    all(shape(1, 1, 40, 300, 32, 64));
  }

  @Override
  void runLarge() {
    all(shape(3, 2, 130, 140, 32, 32));
    all(shape(1, 1, 700, 260, 16, 24));
  }

  private static AttentionShape shape(
      int batch, int heads, int targets, int sources, int size, int valueSize) {
    return new AttentionShape(batch, heads, targets, sources, size, valueSize, 0.7);
  }

  private void all(AttentionShape shape) {
    DropoutFactors dropout = new DropoutFactors(0.3f, 1 / 0.7f, random.nextLong());
    compare("plain", inputs(shape, null, null));
    compare("dropout", inputs(shape, null, dropout));
    compare("causal", inputs(shape, causal(shape), dropout));
    compare("some sources", inputs(shape, some(shape), null));
    compare("added", inputs(shape, added(shape), null));
    compare("nothing seen", inputs(shape, nothing(shape), null));
    edges(shape);
  }

  private AttentionInputs<float[]> inputs(
      AttentionShape shape, @Nullable AttentionMask<float[]> mask, @Nullable DropoutFactors drop) {
    int keys = shape.items() * shape.sources();
    float[] query = randoms(shape.items() * shape.targets() * shape.size());
    float[] key = randoms(keys * shape.size());
    return new AttentionInputs<>(shape, query, key, randoms(keys * shape.valueSize()), mask, drop);
  }

  /// The last targets see all sources if there are more targets.
  private static AttentionMask<float[]> causal(AttentionShape shape) {
    boolean[] sees = new boolean[shape.targets() * shape.sources()];
    for (int i = 0; i < sees.length; i++) {
      sees[i] = i % shape.sources() <= i / shape.sources();
    }
    return new AttentionMask<>(sees, null, new int[shape.items()], shape.sources(), 1);
  }

  /// Each item sees others, and the first source of all.
  private AttentionMask<float[]> some(AttentionShape shape) {
    boolean[] sees = new boolean[shape.items() * shape.sources()];
    int[] starts = new int[shape.items()];
    for (int i = 0; i < sees.length; i++) {
      sees[i] = i % shape.sources() == 0 || random.nextBoolean();
      starts[i / shape.sources()] = i / shape.sources() * shape.sources();
    }
    return new AttentionMask<>(sees, null, starts, 0, 1);
  }

  /// Hides the first sources, and changes the scores of others.
  private AttentionMask<float[]> added(AttentionShape shape) {
    float[] added = randoms(shape.targets() * shape.sources());
    for (int i = 0; i < added.length; i++) {
      if (i % shape.sources() < shape.sources() / 3) {
        added[i] = Float.NEGATIVE_INFINITY;
      }
    }
    return new AttentionMask<>(null, added, new int[shape.items()], shape.sources(), 1);
  }

  private static AttentionMask<float[]> nothing(AttentionShape shape) {
    return new AttentionMask<>(new boolean[1], null, new int[shape.items()], 0, 0);
  }

  private void compare(String what, AttentionInputs<float[]> inputs) {
    AttentionShape shape = inputs.shape();
    int results = shape.items() * shape.targets() * shape.valueSize();
    float[][] y = new float[2][results];
    double[][] logSums = new double[2][shape.items() * shape.targets()];
    expected.attention(inputs, y[0], logSums[0]);
    actual.attention(inputs, y[1], logSums[1]);
    int additions = shape.size() + shape.sources() + 8;
    requireSame(what + " " + shape, additions, y[0], y[1]);
    requireSame(
        "logSums of " + what + " " + shape, additions, rounded(logSums[0]), rounded(logSums[1]));
    float[] gradient = randoms(results);
    float[] query = randoms(inputs.query().length);
    float[] key = randoms(inputs.key().length);
    float[] value = randoms(inputs.value().length);
    float[][] wanted = {query.clone(), key.clone(), value.clone()};
    expected.attentionGradient(inputs, y[0], logSums[0], gradient, wanted[0], wanted[1], wanted[2]);
    actual.attentionGradient(inputs, y[0], logSums[0], gradient, query, key, value);
    additions += shape.targets() + shape.valueSize();
    requireSame("query gradient of " + what + " " + shape, additions, wanted[0], query);
    requireSame("key gradient of " + what + " " + shape, additions, wanted[1], key);
    requireSame("value gradient of " + what + " " + shape, additions, wanted[2], value);
  }

  /// NaN and infinities among the queries, then among the values.
  private void edges(AttentionShape shape) {
    AttentionInputs<float[]> queries = inputs(shape, null, null);
    scatterEdges(queries.query());
    forward("edges of queries", queries);
    AttentionInputs<float[]> values = inputs(shape, null, null);
    scatterEdges(values.value());
    forward("edges of values", values);
  }

  private void forward(String what, AttentionInputs<float[]> inputs) {
    AttentionShape shape = inputs.shape();
    float[][] y = new float[2][shape.items() * shape.targets() * shape.valueSize()];
    expected.attention(inputs, y[0], new double[shape.items() * shape.targets()]);
    actual.attention(inputs, y[1], new double[shape.items() * shape.targets()]);
    requireSame(what + " " + shape, shape.size() + shape.sources() + 8, y[0], y[1]);
  }

  private void scatterEdges(float[] values) {
    float[] edges = {Float.NaN, Float.POSITIVE_INFINITY, -0f, Float.MIN_VALUE, -1000f};
    for (int i = 0; i < values.length; i += 1 + random.nextInt(20)) {
      values[i] = edges[random.nextInt(edges.length)];
    }
  }

  private static float[] rounded(double[] exact) {
    float[] rounded = new float[exact.length];
    for (int i = 0; i < exact.length; i++) {
      rounded[i] = (float) exact[i];
    }
    return rounded;
  }
}
