// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.autograd.DistAutograd;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The spans of calls and backward passes hang together as the code that makes them.
class TracesTest {
  private final TracedWorld world = new TracedWorld(3);
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aMethodIsBelowItsCallAndANestedCallBelowTheMethod() {
    assertThat(rpc.rpcSync("worker1", Relay::pass, List.of("worker2"), 1)).isEqualTo(2);
    world.assertTree(
        """
        Relay.pass client worker0
          Relay.pass server worker1
            Relay.pass client worker1
              Relay.pass server worker2
        """);
  }

  @Test
  void allSpansOfOneTreeAreOneTrace() {
    int _ = rpc.rpcSync("worker1", Relay::pass, List.of("worker2"), 1);
    assertThat(world.spans(4)).extracting(SpanData::getTraceId).containsOnly(traceId());
  }

  private String traceId() {
    return world.spans(1).getFirst().getTraceId();
  }

  @Test
  void callsThatAFutureContinuesAreBelowTheMethodToo() {
    assertThat(rpc.rpcAsync("worker1", Relay::chain, "worker2", 1).await()).isEqualTo(3);
    world.assertTree(
        """
        Relay.chain client worker0
          Relay.chain server worker1
            Relay.end client worker1
              Relay.end server worker2
            Relay.end client worker1
              Relay.end server worker2
        """);
  }

  @Test
  void remoteAndCallsOfItsObjectHaveSpans() {
    try (RRef<Relay> relay = rpc.remote("worker1", Relay::new)) {
      assertThat(relay.rpcSync(Relay::own, 1)).isEqualTo(2);
    }
    world.assertTree(
        """
        Relay.<init> client worker0
          Relay.<init> server worker1
        Relay.own client worker0
          Relay.own server worker1
        """);
  }

  @Test
  void aSpanOfTheApplicationIsTheParentOfACallOnAThreadOfItsOwn() {
    spanned(() -> rpc.rpcSync("worker1", Relay::end, 1));
    world.assertTree(
        """
        application internal worker0
          Relay.end client worker0
            Relay.end server worker1
        """);
  }

  @Test
  void aSpanOfTheApplicationIsTheParentOfACallOnAVirtualThread() {
    world.world().onVirtualThread(() -> spanned(() -> rpc.rpcSync("worker1", Relay::end, 1)));
    world.assertTree(
        """
        application internal worker0
          Relay.end client worker0
            Relay.end server worker1
        """);
  }

  @Test
  void aSpanOfTheApplicationIsTheParentOfACallOnAnEventLoop() {
    Future<Integer> sum = spannedOnEventLoop();
    assertThat(World.await(sum)).isEqualTo(2);
    world.assertTree(
        """
        application internal worker0
          Relay.end client worker0
            Relay.end server worker1
        """);
  }

  private Future<Integer> spannedOnEventLoop() {
    return Future.future(
        done ->
            world
                .host(0)
                .runOnContext(
                    _ -> spanned(() -> rpc.rpcAsync("worker1", Relay::end, 1)).onComplete(done)));
  }

  private <R> R spanned(Supplier<R> body) {
    Span span = world.tracer(0).spanBuilder("application").startSpan();
    try (Scope _ = span.makeCurrent()) {
      return body.get();
    } finally {
      span.end();
    }
  }

  @Test
  void theCurrentSpanOfAMethodIsThatOfTheCall() {
    String id = rpc.rpcSync("worker1", Relay::currentSpan);
    assertThat(world.spans(2))
        .filteredOn(span -> span.getKind() == SpanKind.SERVER)
        .extracting(SpanData::getSpanId)
        .containsExactly(id);
  }

  @Test
  void aSpanThatAMethodMakesIsBetweenItAndItsCalls() {
    Tracer tracer = world.worker(1).shared(Tracer.class, () -> world.tracer(1));
    assertThat(tracer).isNotNull();
    assertThat(rpc.rpcSync("worker1", Relay::spanned, "worker2", 1)).isEqualTo(2);
    world.assertTree(
        """
        Relay.spanned client worker0
          Relay.spanned server worker1
            own internal worker1
              Relay.end client worker1
                Relay.end server worker2
        """);
  }

  @Test
  void anErrorOfTheMethodMarksBothSpans() {
    assertThatThrownBy(() -> rpc.rpcSync("worker1", Relay::fail))
        .isInstanceOf(RemoteException.class);
    assertThat(world.spans(2))
        .extracting(TracedWorld::error)
        .containsExactlyInAnyOrder("error", "java.lang.IllegalStateException");
  }

  @Test
  void aCallToNobodyMarksItsSpan() {
    assertThatThrownBy(() -> rpc.rpcSync("nobody", Relay::end, 1)).isNotNull();
    assertThat(world.spans(1)).extracting(TracedWorld::error).containsExactly("lost");
  }

  @Test
  void aBackwardPassHasASpanOnEachWorker() {
    rpc.span("step", this::step);
    world.assertTree(
        """
        step server worker0
          DistContext.backward client worker0
            DistContext.backward server worker1
            DistContext.backward server worker2
          Relay.forward client worker0
            Relay.forward server worker1
              Relay.forward client worker1
                Relay.forward server worker2
        """);
  }

  @Test
  void aWrappedTaskIsBelowTheSpanOfTheThreadThatWrappedIt() throws Exception {
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      java.util.concurrent.Future<Integer> sum =
          rpc.span(
              "step", () -> executor.submit(Rpc.wrap(() -> rpc.rpcSync("worker1", Relay::end, 1))));
      assertThat(sum.get()).isEqualTo(2);
      int _ = executor.submit(() -> rpc.rpcSync("worker2", Relay::end, 1)).get();
    }
    world.assertTree(
        """
        Relay.end client worker0
          Relay.end server worker2
        step server worker0
          Relay.end client worker0
            Relay.end server worker1
        """);
  }

  private boolean step() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor input = Tensor.of(3);
      Tensor output = rpc.rpcSync("worker1", Relay::forward, List.of("worker2"), input);
      context.backward(output.sum());
    }
    return true;
  }

  @Test
  void anErrorMarksTheSpanOfTheApplicationsWork() {
    assertThatThrownBy(
            () ->
                rpc.span(
                    "step",
                    () -> {
                      throw new IllegalStateException("of a test");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(world.spans(1))
        .extracting(TracedWorld::error)
        .containsExactly("java.lang.IllegalStateException");
  }

  @Test
  void controlCallsHaveNoSpans() {
    Future.all(rpc.barrierAsync(), world.worker(1).barrierAsync(), world.worker(2).barrierAsync())
        .await();
    int _ = rpc.rpcSync("worker1", Relay::end, 1);
    world.assertTree(
        """
        Relay.end client worker0
          Relay.end server worker1
        """);
  }
}
