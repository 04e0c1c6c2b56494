// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Losses;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.data.Digits;
import dev.tensorbus.models.data.StrokeDigits;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// A model, and what it is to learn.
///
/// @param model its parameters
/// @param forward computes with them
/// @param lossFn takes what the model says and what it should have said
/// @param nextBatch makes another batch
/// @param isBrief whether to make a batch and to learn from it takes microseconds
record Workload(
    Layer model,
    UnaryOperator<Tensor> forward,
    BinaryOperator<Tensor> lossFn,
    Supplier<Batch> nextBatch,
    boolean isBrief) {
  /// The tutorial's forward pass makes 60,000, and all that a trainer does in a round takes 90 us.
  private static final long MOST_BRIEF_MULTIPLICATIONS = 100_000;

  /// @param inputs one row per example
  /// @param labels what the model should say of each
  record Batch(Tensor inputs, Tensor labels) {}

  /// What the options ask for; equal generators give equal models and batches.
  static Workload of(WorkerOptions options, RandomGenerator random) {
    return options.isOn(BatchProgram.IMAGES)
        ? images(options.batchSize(), random)
        : linear(
            options.batchSize(),
            options.whole(BatchProgram.INPUTS),
            options.whole(BatchProgram.OUTPUTS),
            random);
  }

  /// The tutorial's: noise, of which the model is to say zero.
  private static Workload linear(int size, int inputs, int outputs, RandomGenerator random) {
    Linear model = new Linear(inputs, outputs, random);
    return new Workload(
        model,
        model::forward,
        Losses::l1Loss,
        () -> new Batch(Tensor.randn(random, size, inputs), Tensor.zeros(size, outputs)),
        (long) size * inputs * outputs <= MOST_BRIEF_MULTIPLICATIONS);
  }

  /// A bigger model, which is to tell what digits images show.
  private static Workload images(int size, RandomGenerator random) {
    MnistNet model = new MnistNet(random);
    return new Workload(
        model,
        images -> model.forward(images).exp(),
        Losses::mseLoss,
        () -> digits(StrokeDigits.draw(size, random)),
        false);
  }

  private static Batch digits(Digits digits) {
    float[] oneHot = new float[digits.size() * 10];
    for (int i = 0; i < digits.size(); i++) {
      oneHot[i * 10 + digits.label(i)] = 1;
    }
    return new Batch(
        digits.batch(IntStream.range(0, digits.size()).toArray()).inputs(),
        Tensor.of(Shape.of(digits.size(), 10), oneHot));
  }

  /// The loss of the model as it is now, on a batch.
  Tensor loss(Batch batch) {
    return lossFn.apply(forward.apply(batch.inputs()), batch.labels());
  }
}
