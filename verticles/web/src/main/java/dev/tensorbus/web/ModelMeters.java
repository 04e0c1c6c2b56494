// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import dev.tensorbus.optim.server.Predictor;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/// The metrics of a served model.
///
/// @param registry the application's registry
record ModelMeters(MeterRegistry registry) {
  /// Records the time from a request's arrival to its answer.
  void answered(int status, long nanos) {
    Timer.builder("tensorbus.model.requests")
        .description("Answered requests")
        .tag("status", Integer.toString(status))
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /// Returns a predictor that also measures each batch.
  Predictor measured(Predictor predictor) {
    Timer batches =
        Timer.builder("tensorbus.model.batches").description("Forward passes").register(registry);
    DistributionSummary rows =
        DistributionSummary.builder("tensorbus.model.batch.rows")
            .description("Examples in a forward pass")
            .register(registry);
    return new Predictor(
        predictor.twin(),
        examples -> {
          rows.record(examples.shape().size(0));
          return batches.record(() -> predictor.forward().apply(examples));
        },
        predictor.example(),
        predictor.dtype());
  }
}
