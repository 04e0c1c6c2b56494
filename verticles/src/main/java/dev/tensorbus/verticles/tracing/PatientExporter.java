// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.tracing;

import dev.tensorbus.verticles.Setting;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;

/// Logs only once that a collector does not accept spans. OpenTelemetry would log every failure,
/// with its stack trace.
final class PatientExporter implements SpanExporter {
  private static final System.Logger LOG = System.getLogger(PatientExporter.class.getName());

  /// A strong reference; java.util.logging would otherwise drop the logger along with its level.
  private static final Logger OPENTELEMETRY = Logger.getLogger("io.opentelemetry.exporter");

  private final SpanExporter exporter;
  private final String url;
  private final AtomicBoolean isTold = new AtomicBoolean();

  PatientExporter(SpanExporter exporter, String url) {
    this.exporter = exporter;
    this.url = url;
    OPENTELEMETRY.setLevel(java.util.logging.Level.OFF);
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    CompletableResultCode result = exporter.export(spans);
    return result.whenComplete(() -> tellIfFailed(result));
  }

  private void tellIfFailed(CompletableResultCode result) {
    if (!result.isSuccess() && isTold.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "spans cannot be sent to {0} and are dropped; start an OTLP/HTTP collector there,"
              + " or correct {1}",
          url,
          Setting.OTLP.option());
    }
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
