// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which way the tensors of two workers take.
class LaneTest {
  private final List<Vertx> hosts = Stream.generate(new MemoryCluster()::start).limit(2).toList();
  private final List<Rpc> workers = new ArrayList<>();
  private final Tensor large = Tensor.of(new float[100_000]);

  private void open(Vertx vertx, int threshold) {
    RpcOptions options =
        RpcOptions.dynamic(workers.size()).withTimeout(World.PATIENCE).withLaneThreshold(threshold);
    workers.add(Rpc.open(vertx, "worker" + workers.size(), options).await());
  }

  @AfterEach
  void close() {
    Future.join(workers.stream().map(Rpc::leave).toList()).await();
    hosts.forEach(vertx -> vertx.close().await());
  }

  private void requireLane(long sharedMemory, long bus) {
    Tensor sum = workers.getFirst().rpcSync("worker1", Tensor::add, large, large);
    assertThat(sum.values()).hasSize(100_000);
    assertThat(workers.getFirst().debugInfo())
        .containsEntry("lane.shared_memory", sharedMemory)
        .containsEntry("lane.bus", bus);
    World.eventually(() -> workers.get(1).debugInfo().get("lane.shipments") == 0);
  }

  @Test
  void largeTensorsGoThroughSharedMemory() {
    open(hosts.get(0), RpcOptions.DEFAULT_LANE_THRESHOLD);
    open(hosts.get(1), RpcOptions.DEFAULT_LANE_THRESHOLD);
    requireLane(1, 0);
    assertThat(workers.get(1).debugInfo()).containsEntry("lane.shared_memory", 1L);
  }

  @Test
  void anEventLoopIsNotHeldUpByTensorsThatCome() {
    open(hosts.get(0), RpcOptions.DEFAULT_LANE_THRESHOLD);
    open(hosts.get(1), RpcOptions.DEFAULT_LANE_THRESHOLD);
    requireLane(1, 0);
    Promise<Tensor> sum = Promise.promise();
    hosts
        .get(0)
        .runOnContext(
            now ->
                workers.getFirst().rpcAsync("worker1", Tensor::add, large, large).onComplete(sum));
    assertThat(sum.future().await().values()).hasSize(100_000);
  }

  @Test
  void smallTensorsGoInMessages() {
    open(hosts.get(0), RpcOptions.DEFAULT_LANE_THRESHOLD);
    open(hosts.get(1), RpcOptions.DEFAULT_LANE_THRESHOLD);
    workers.getFirst().rpcSync("worker1", Tensor::add, Tensor.of(1), Tensor.of(2));
    assertThat(workers.getFirst().debugInfo()).containsEntry("lane.shared_memory", 0L);
  }

  @Test
  void whereTheOtherForbidsTheLaneTensorsGoInMessages() {
    open(hosts.get(0), RpcOptions.DEFAULT_LANE_THRESHOLD);
    open(hosts.get(1), RpcOptions.NO_LANE);
    requireLane(0, 1);
  }

  @Test
  void whoForbidsTheLaneAsksForNone() {
    open(hosts.get(0), RpcOptions.NO_LANE);
    open(hosts.get(1), RpcOptions.DEFAULT_LANE_THRESHOLD);
    requireLane(0, 0);
  }

  @Test
  void workersOnOneVertxNeedNoLane() {
    open(hosts.get(0), 0);
    open(hosts.get(0), 0);
    requireLane(0, 0);
  }

  @Test
  void whoHasLeftHasNoLane() {
    open(hosts.get(0), 0);
    open(hosts.get(1), 0);
    requireLane(1, 0);
    workers.get(1).leave().await();
    assertThat(workers.getFirst().debugInfo()).containsEntry("lane.shared_memory", 0L);
  }
}
