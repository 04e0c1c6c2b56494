// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ContinuationTest {
  /// Netty refuses it with "event executor terminated".
  @Test
  void whatFollowsACallRunsThoughItsEventLoopIsClosed() throws Exception {
    Vertx vertx = Vertx.vertx();
    Promise<Continuation> onLoop = Promise.promise();
    vertx.runOnContext(ignored -> onLoop.complete(ExecutionPolicy.whereCalled()));
    Continuation continuation = onLoop.future().await();
    vertx.close().await();
    CompletableFuture<Boolean> afterSuccess = new CompletableFuture<>();
    continuation.goOn(() -> afterSuccess.complete(true));
    CompletableFuture<Boolean> afterFailure = new CompletableFuture<>();
    continuation.goOnApart(() -> afterFailure.complete(true));
    assertThat(afterSuccess.get()).isTrue();
    assertThat(afterFailure.get()).isTrue();
  }
}
