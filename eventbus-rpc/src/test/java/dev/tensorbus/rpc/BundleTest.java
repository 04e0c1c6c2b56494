// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.wire.Bundle;
import dev.tensorbus.rpc.wire.Frame;
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

/// What is sent to one worker before the event loop gets to it travels as one message.
class BundleTest {
  private final MemoryCluster cluster = new MemoryCluster();
  private final Vertx caller = cluster.start(new VertxOptions().setEventLoopPoolSize(1));
  private final Vertx callee = cluster.start();
  private final World world = new World(List.of(caller, callee));
  private final Rpc rpc = world.worker(0);
  private final List<Frame> sent = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void makeTheMethodKnown() {
    rpc.rpcSync("worker1", Brief::threadFor, "");
    record(caller);
    record(callee);
  }

  private void record(Vertx vertx) {
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
            made.add(rpc.rpcAsync("worker1", Brief::threadFor, text));
          }
          calls.complete(made);
        });
    Future.all(calls.future().await()).await();
  }

  @Test
  void callsAndTheirAnswersTravelTogether() {
    call("a", "b", "c");
    assertThat(sent).hasSize(2);
    assertThat(sent).allSatisfy(frame -> assertThat(Bundle.from(frame).frames()).hasSize(3));
  }

  @Test
  void callsOfOtherThreadsTravelTogetherWhileTheLoopIsBusy() {
    CompletableFuture<Void> free = new CompletableFuture<>();
    caller.runOnContext(ignored -> free.join());
    List<Future<String>> calls =
        Stream.of("a", "b", "c")
            .map(text -> rpc.rpcAsync("worker1", Brief::threadFor, text))
            .toList();
    free.complete(null);
    Future.all(calls).await();
    assertThat(Bundle.from(sent.getFirst()).frames()).hasSize(3);
  }

  @Test
  void aSingleMessageTravelsAsItIs() {
    call("a");
    assertThat(sent)
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.REQUEST, Frame.Kind.RESPONSE);
  }

  @Test
  void aBundleIsNoLongerThanASmallMessage() {
    String text = "a".repeat(Frame.MOST_SMALL_BYTES / 3);
    call(text, text, text);
    assertThat(sent.get(0).kind()).isEqualTo(Frame.Kind.BUNDLE);
    assertThat(Bundle.from(sent.get(0)).frames()).hasSize(2);
    assertThat(sent.get(1).kind()).isEqualTo(Frame.Kind.REQUEST);
  }

  @Test
  void aBundleInABundleIsRefused() {
    Frame inner = new Bundle(List.of()).toFrame();
    assertThatThrownBy(() -> Bundle.from(new Bundle(List.of(inner)).toFrame()))
        .isInstanceOf(WireException.class)
        .hasMessage("bundle of messages in a bundle");
  }
}
