// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import org.junit.jupiter.api.Test;

/// Spans with and without a tracer, and after a trace that is none.
class TracingTest {
  private static final FunctionName END = new FunctionName("dev.example.Relay", "end");

  private static Tracing of(Vertx vertx) {
    return new Tracing(((VertxInternal) vertx).createEventLoopContext(), function -> false);
  }

  @Test
  void aTextThatIsNoTraceBeginsANewOne() {
    try (TracedWorld world = new TracedWorld(1)) {
      of(world.host(0)).method(END, "worker1", new TraceContext("garbage", "a=b")).end(null);
      world.assertTree("Relay.end server worker0\n");
    }
  }

  @Test
  void aSpanGoesOnInTheFormOfW3c() {
    try (TracedWorld world = new TracedWorld(1)) {
      SentSpan span = of(world.host(0)).call(END, "worker1");
      span.end();
      String id = world.spans(1).getFirst().getSpanId();
      assertThat(span.trace().parent()).hasSize(TraceContext.MOST_PARENT).contains(id);
    }
  }

  @Test
  void withoutATracerThereIsNoSpan() {
    Vertx vertx = Vertx.vertx();
    try {
      Tracing off = of(vertx);
      assertThat(off.call(END, "worker1")).isNull();
      assertThat(off.method(END, "worker1", new TraceContext("garbage", ""))).isNull();
      assertThat(off.pass()).isNull();
      assertThat(off.<String>span("step", () -> "done")).isEqualTo("done");
    } finally {
      vertx.close().await();
    }
  }
}
