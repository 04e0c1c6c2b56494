// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// The settings of traces, and a collector that takes none.
class OtlpTracingTest {
  private static WorkerOptions options(String json) {
    return WorkerOptions.of(ProgramSettings.with(), new JsonObject(json));
  }

  @Test
  void withoutAnAddressNothingIsTraced() {
    assertThat(OtlpTracing.of(Role.TRAINER, options("{}"))).isEmpty();
  }

  @Test
  void anAddressNeedsItsScheme() {
    assertThatThrownBy(() -> options("{\"otlp\": \"127.0.0.1:4318\"}"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is 127.0.0.1:4318; expected a URL such as http://");
  }

  @Test
  void aRatioIsFromNoneToAll() {
    assertThatThrownBy(() -> options("{\"traceRatio\": 1.5}"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is 1.5; expected a number from 0 to 1");
  }

  @Test
  void aCollectorThatTakesNothingIsToldOnce() {
    Logger logger = Logger.getLogger(PatientExporter.class.getName());
    Lines lines = new Lines();
    logger.addHandler(lines);
    try {
      PatientExporter exporter = new PatientExporter(new Refusing(), "http://nobody");
      assertThat(exporter.export(List.of()).isSuccess()).isFalse();
      assertThat(exporter.export(List.of()).isSuccess()).isFalse();
      assertThat(lines.said).hasSize(1).first().asString().contains("cannot be sent to");
    } finally {
      logger.removeHandler(lines);
    }
  }

  /// Takes no spans.
  private static final class Refusing implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return CompletableResultCode.ofFailure();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }

  /// Keeps what is logged.
  private static final class Lines extends Handler {
    private final Queue<String> said = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord record) {
      said.add(record.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
