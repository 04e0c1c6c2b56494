// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A trace that its beginner does not keep is kept by nobody, though each worker here keeps what
/// begins with it.
class DroppedTracesTest {
  private static final Span DROPPED =
      Span.wrap(
          SpanContext.create(
              "0af7651916cd43dd8448eb211c80319c",
              "b7ad6b7169203331",
              TraceFlags.getDefault(),
              TraceState.builder().put("vendor", "value").build()));

  private final TracedWorld world = new TracedWorld(3);
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private static <R> R dropped(Supplier<R> body) {
    try (Scope _ = DROPPED.makeCurrent()) {
      return body.get();
    }
  }

  /// A call that is kept comes after all of it, so what is there then is all that comes.
  private void assertNothingKept() {
    assertThat(rpc.rpcSync("worker1", Relay::end, 1)).isEqualTo(2);
    world.assertTree(
        """
        Relay.end client worker0
          Relay.end server worker1
        """);
  }

  @Test
  void neitherCallsNorNestedOnes() {
    assertThat(dropped(() -> rpc.rpcSync("worker1", Relay::pass, List.of("worker2"), 1)))
        .isEqualTo(2);
    assertThat(dropped(() -> rpc.rpcAsync("worker1", Relay::chain, "worker2", 1).await()))
        .isEqualTo(3);
    assertNothingKept();
  }

  @Test
  void noSpanOfTheApplicationInAMethod() {
    world.worker(1).shared(Tracer.class, () -> world.tracer(1));
    assertThat(dropped(() -> rpc.rpcSync("worker1", Relay::spanned, "worker2", 1))).isEqualTo(2);
    assertNothingKept();
  }

  @Test
  void noPass() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor input = Tensor.of(3);
      Tensor output =
          dropped(() -> rpc.rpcSync("worker1", Relay::forward, List.of("worker2"), input));
      dropped(
          () -> {
            context.backward(output.sum());
            return true;
          });
    }
    assertNothingKept();
  }

  @Test
  void noNamedWork() {
    assertThat(
            dropped(() -> rpc.span("step", () -> rpc.rpcSync("worker1", Relay::end, 1))).intValue())
        .isEqualTo(2);
    assertNothingKept();
  }
}
