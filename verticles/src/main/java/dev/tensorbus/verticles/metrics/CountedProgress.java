// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.Progress;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/// Counts the training steps that a worker reports.
final class CountedProgress implements Progress {
  private final LongAdder planned = new LongAdder();
  private final LongAdder steps = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private volatile float lastLoss = Float.NaN;

  void bindTo(MeterRegistry registry) {
    Gauge.builder("tensorbus.planned.steps", planned, LongAdder::doubleValue)
        .description("Steps assigned to the worker, done or not")
        .register(registry);
    FunctionCounter.builder("tensorbus.steps", steps, LongAdder::doubleValue)
        .description("Completed steps")
        .register(registry);
    FunctionCounter.builder("tensorbus.samples", samples, LongAdder::doubleValue)
        .description("Examples in the completed steps")
        .register(registry);
    Gauge.builder("tensorbus.loss", () -> lastLoss)
        .description("Loss of the last step")
        .register(registry);
  }

  @Override
  public void start(long more) {
    planned.add(more);
  }

  @Override
  public void step(int newSamples, float loss) {
    steps.increment();
    samples.add(newSamples);
    lastLoss = loss;
  }
}
