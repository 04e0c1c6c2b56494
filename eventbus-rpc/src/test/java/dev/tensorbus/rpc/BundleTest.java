// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Bundle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages that wait for the event loop together, to one worker, travel as one.
class BundleTest {
  private final MemoryCluster cluster = new MemoryCluster();
  private final Vertx caller = cluster.start(new VertxOptions().setEventLoopPoolSize(1));
  private final Vertx callee = cluster.start();
  private final World world = new World(List.of(caller, callee));
  private final Rpc rpc = world.worker(0);
  private final List<Frame> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<Frame> answers = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void makeTheMethodKnown() {
    rpc.rpcSync("worker1", ThreadProbe::threadFor, "");
    record(caller, requests);
    record(callee, answers);
  }

  private static void record(Vertx vertx, List<Frame> sent) {
    vertx
        .eventBus()
        .addOutboundInterceptor(
            delivery -> {
              if (delivery.body() instanceof Frame frame) {
                sent.add(frame);
              }
              delivery.next();
            });
  }

  @AfterEach
  void closeWorld() {
    world.close();
    caller.close().await();
    callee.close().await();
  }

  /// Calls for each text, all while the event loop is busy.
  private void call(String... texts) {
    Promise<List<Future<?>>> calls = Promise.promise();
    caller.runOnContext(
        ignored -> {
          List<Future<?>> made = new ArrayList<>();
          for (String text : texts) {
            made.add(rpc.rpcAsync("worker1", ThreadProbe::threadFor, text));
          }
          calls.complete(made);
        });
    Future.all(calls.future().await()).await();
  }

  @Test
  void callsAndTheirAnswersTravelTogether() {
    call("a", "b", "c");
    for (List<Frame> sent : List.of(requests, answers)) {
      assertThat(sent).hasSize(1);
      assertThat(Bundle.from(sent.getFirst()).frames()).hasSize(3);
    }
  }

  @Test
  void callsOfOtherThreadsTravelTogetherWhileTheLoopIsBusy() {
    CompletableFuture<Void> free = new CompletableFuture<>();
    caller.runOnContext(ignored -> free.join());
    List<Future<String>> calls =
        Stream.of("a", "b", "c")
            .map(text -> rpc.rpcAsync("worker1", ThreadProbe::threadFor, text))
            .toList();
    free.complete(null);
    Future.all(calls).await();
    assertThat(Bundle.from(requests.getFirst()).frames()).hasSize(3);
  }

  @Test
  void aSingleMessageTravelsAsItIs() {
    call("a");
    assertThat(requests).extracting(Frame::kind).containsExactly(Frame.Kind.REQUEST);
    assertThat(answers).extracting(Frame::kind).containsExactly(Frame.Kind.RESPONSE);
  }

  @Test
  void aBundleIsNoLongerThanASmallMessage() {
    String text = "a".repeat(Frame.MOST_SMALL_BYTES / 3);
    call(text, text, text);
    assertThat(requests)
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.BUNDLE, Frame.Kind.REQUEST);
    assertThat(Bundle.from(requests.getFirst()).frames()).hasSize(2);
  }

  @Test
  void aBundleInABundleIsRefused() {
    Frame inner = new Bundle(List.of()).toFrame();
    assertThatThrownBy(() -> Bundle.from(new Bundle(List.of(inner)).toFrame()))
        .isInstanceOf(WireException.class)
        .hasMessage("bundle of messages in a bundle");
  }
}
