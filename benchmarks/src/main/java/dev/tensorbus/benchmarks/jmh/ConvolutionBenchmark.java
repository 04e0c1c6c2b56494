// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.ConvolutionShape;
import dev.tensorbus.autograd.kernel.Kernels;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// The convolutions of the MNIST network, on eight pictures.
public class ConvolutionBenchmark extends KernelTwins {
  private static final int BATCH = 8;
  private static final int TAPS = 9;

  @Param({"conv1", "conv2"})
  private String layer = "";

  private ConvolutionShape shape = new ConvolutionShape(0, 0, 0, 0, 0, 0, 0);
  private float[] x = {};
  private float[] weight = {};
  private float[] y = {};
  private float[] yGradient = {};

  /// Made by JMH.
  public ConvolutionBenchmark() {}

  /// Draws pictures and filters and checks both kernels on them.
  @Setup
  public void prepare() {
    shape =
        layer.equals("conv1")
            ? new ConvolutionShape(BATCH, 1, 28, 28, 32, 3, 3)
            : new ConvolutionShape(BATCH, 32, 26, 26, 64, 3, 3);
    x = randoms(BATCH * shape.channels() * shape.height() * shape.width());
    weight = randoms(shape.filters() * shape.channels() * TAPS);
    y = new float[BATCH * shape.filters() * shape.outputPixels()];
    yGradient = randoms(y.length);
    int additions = shape.channels() * TAPS;
    requireEqual(forward(scalar, y.clone()), forward(vector, y.clone()), additions);
    requireEqual(
        weightGradient(scalar, new float[weight.length]),
        weightGradient(vector, new float[weight.length]),
        BATCH * shape.outputPixels());
  }

  /// Plain loops, forward.
  @Benchmark
  public float[] scalarForward() {
    return forward(scalar, y);
  }

  /// The Vector API, forward.
  @Benchmark
  public float[] vectorForward() {
    return forward(vector, y);
  }

  /// Plain loops, the filters' gradient.
  @Benchmark
  public float[] scalarWeightGradient() {
    return weightGradient(scalar, new float[weight.length]);
  }

  /// The Vector API, the filters' gradient.
  @Benchmark
  public float[] vectorWeightGradient() {
    return weightGradient(vector, new float[weight.length]);
  }

  private float[] forward(Kernels kernels, float[] into) {
    kernels.convolution(shape, x, weight, into);
    return into;
  }

  private float[] weightGradient(Kernels kernels, float[] into) {
    kernels.convolutionWeightGradient(shape, x, yGradient, into);
    return into;
  }
}
