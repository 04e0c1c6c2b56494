// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerExtension;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerExtensionTest {
  private final Vertx vertx = Vertx.vertx();
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /// Tells what happens to it.
  private final class Told implements WorkerExtension {
    private final Future<?> start;

    Told(Future<?> start) {
      this.start = start;
    }

    @Override
    public Future<?> start(Rpc rpc) {
      told.add("start with " + WorkerObjects.find(rpc, String.class).orElse("nothing"));
      return start;
    }

    @Override
    public Future<?> stop() {
      told.add("stop");
      return Future.succeededFuture();
    }
  }

  private RpcWorker server(WorkerExtension extension) {
    JsonObject given = new JsonObject().put("worldSize", 2);
    RpcWorker worker =
        new RpcWorker(Role.PARAMETER_SERVER, WorkerOptions.of(ProgramSettings.with(), given)) {
          @Override
          protected void serve(Rpc rpc) {
            WorkerObjects.put(rpc, String.class, "an object");
          }

          @Override
          protected void work(Rpc rpc) {
            told.add("work");
          }
        };
    worker.attach(extension);
    return worker;
  }

  private Rpc trainer() {
    return Rpc.open(vertx, "trainer1", RpcOptions.worldSize(2).withRank(1).withProgram("mnist"))
        .await();
  }

  @Test
  void anExtensionLivesFromWhenObjectsAreThereToTheEndOfTheWorld() {
    RpcWorker worker = server(new Told(Future.succeededFuture()));
    vertx.deployVerticle(worker).await();
    assertThat(told.getFirst()).isEqualTo("start with an object");
    trainer().shutdown().await();
    worker.finished().await();
    assertThat(told).containsExactly("start with an object", "work", "stop");
  }

  @Test
  void anExtensionEndsWithAWorkerThatIsUndeployed() {
    String deployment = vertx.deployVerticle(server(new Told(Future.succeededFuture()))).await();
    vertx.undeploy(deployment).await();
    assertThat(told).containsExactly("start with an object", "stop");
  }

  @Test
  void aWorkerWhoseExtensionDoesNotStartLeavesTheWorld() {
    RpcWorker worker = server(new Told(Future.failedFuture(new IllegalStateException("no room"))));
    assertThatThrownBy(() -> vertx.deployVerticle(worker).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no room");
    assertThat(told).containsExactly("start with an object", "stop");
    Rpc next = Rpc.open(vertx, "parameter-server", RpcOptions.worldSize(2).withRank(0)).await();
    assertThat(next.self().name()).isEqualTo("parameter-server");
    next.leave().await();
  }
}
