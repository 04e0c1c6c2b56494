// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Window;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// The convolutions of the MNIST network, and a strided and a depthwise convolution of a larger
/// network, on eight images.
public class ConvolutionBenchmark extends KernelTwins {
  private static final int BATCH = 8;

  @Param({"conv1", "conv2", "strided", "depthwise"})
  private String layer = "";

  private ConvolutionShape shape = new ConvolutionShape(0, 0, 0, 0, 0, 0, 0);
  private float[] x = {};
  private float[] weight = {};
  private float[] y = {};
  private float[] yGradient = {};

  /// Called by JMH.
  public ConvolutionBenchmark() {}

  /// Generates images and filters, and checks that both kernels agree on them.
  @Setup
  public void prepare() {
    shape = shape(layer);
    x = randoms(BATCH * shape.channels() * shape.height() * shape.width());
    int filterSize = shape.channels() / shape.groups() * shape.rows().kernel();
    filterSize *= shape.columns().kernel();
    weight = randoms(shape.filters() * filterSize);
    y = new float[BATCH * shape.filters() * shape.outputPixels()];
    yGradient = randoms(y.length);
    requireEqual(forward(scalar, y.clone()), forward(vector, y.clone()), filterSize);
    requireEqual(
        inputGradient(scalar, new float[x.length]),
        inputGradient(vector, new float[x.length]),
        filterSize * shape.filters());
    requireEqual(
        weightGradient(scalar, new float[weight.length]),
        weightGradient(vector, new float[weight.length]),
        BATCH * shape.outputPixels());
  }

  private static ConvolutionShape shape(String layer) {
    Window strided = new Window(56, 3, 2, 1, 1);
    Window padded = new Window(28, 3, 1, 1, 1);
    return switch (layer) {
      case "conv1" -> new ConvolutionShape(BATCH, 1, 28, 28, 32, 3, 3);
      case "conv2" -> new ConvolutionShape(BATCH, 32, 26, 26, 64, 3, 3);
      case "strided" -> new ConvolutionShape(BATCH, 64, 64, 1, strided, strided);
      default -> new ConvolutionShape(BATCH, 64, 64, 64, padded, padded);
    };
  }

  /// Computes the forward pass with plain loops.
  @Benchmark
  public float[] scalarForward() {
    return forward(scalar, y);
  }

  /// Computes the forward pass with the Vector API.
  @Benchmark
  public float[] vectorForward() {
    return forward(vector, y);
  }

  /// Computes the gradient of the input with plain loops.
  @Benchmark
  public float[] scalarInputGradient() {
    return inputGradient(scalar, new float[x.length]);
  }

  /// Computes the gradient of the input with the Vector API.
  @Benchmark
  public float[] vectorInputGradient() {
    return inputGradient(vector, new float[x.length]);
  }

  /// Computes the gradient of the weight with plain loops.
  @Benchmark
  public float[] scalarWeightGradient() {
    return weightGradient(scalar, new float[weight.length]);
  }

  /// Computes the gradient of the weight with the Vector API.
  @Benchmark
  public float[] vectorWeightGradient() {
    return weightGradient(vector, new float[weight.length]);
  }

  private float[] forward(Kernels kernels, float[] into) {
    kernels.convolution(shape, x, weight, null, into);
    return into;
  }

  private float[] inputGradient(Kernels kernels, float[] into) {
    kernels.convolutionInputGradient(shape, weight, yGradient, null, into);
    return into;
  }

  private float[] weightGradient(Kernels kernels, float[] into) {
    kernels.convolutionWeightGradient(shape, x, yGradient, into);
    return into;
  }
}
