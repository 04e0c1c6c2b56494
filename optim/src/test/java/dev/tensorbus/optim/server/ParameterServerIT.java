// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import static dev.tensorbus.optim.server.ServerProcess.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Three servers in processes of their own, which are killed while a trainer pushes.
@Tag("slow")
class ParameterServerIT {
  private static final System.Logger LOG = System.getLogger(ParameterServerIT.class.getName());
  private static final int KILLS = 3;
  private static final int PUSHES_BETWEEN_KILLS = 50;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final ProcessWorld world = new ProcessWorld(ServerProcess.class, NAMES, "trainer");
  private final Rpc rpc = world.rpc();

  @AfterEach
  void stop() {
    world.close();
  }

  private static Linear zeros() {
    Linear net = new Linear(300, 400, new Random(1)); // two pieces, and the biases
    net.parameters()
        .forEach(parameter -> parameter.replace(now -> Tensor.full(now.shape(), now.dtype(), 0)));
    return net;
  }

  /// Adds one to all parameters. Returns how long that took, in milliseconds.
  private static long addOne(ParameterStore<Linear> store) {
    long start = System.nanoTime();
    store
        .model()
        .parameters()
        .forEach(
            parameter -> parameter.setGrad(Tensor.full(parameter.shape(), parameter.dtype(), -1)));
    store.push(1).await();
    return Duration.ofNanos(System.nanoTime() - start).toMillis();
  }

  /// Returns whether all servers are alive and each slot has its backup.
  private boolean isComplete() {
    try {
      String server = NAMES.get(random.nextInt(NAMES.size()));
      SlotMap map = rpc.rpcSync(server, ParameterServer::nextMap, -1L).map();
      return map != null
          && map.servers().stream().map(Life::worker).toList().equals(NAMES)
          && map.replicas().equals(map.wanted());
    } catch (RpcException e) {
      return false;
    }
  }

  @Test
  void eachAnsweredPushCountsOnceThoughServersAreKilled() {
    List<Long> longest = new ArrayList<>();
    StoreOptions options = StoreOptions.of(NAMES.toArray(new String[0]));
    int pushes = 0;
    try (var store = ParameterStore.join(rpc, zeros(), new Sgd(1), options)) {
      for (int kill = 0; kill < KILLS; kill++) {
        while (!isComplete()) {
          addOne(store);
          pushes++;
        }
        String victim = NAMES.get(random.nextInt(NAMES.size()));
        world.kill(victim);
        longest.add(
            IntStream.range(0, PUSHES_BETWEEN_KILLS)
                .mapToLong(_ -> addOne(store))
                .max()
                .orElseThrow());
        pushes += PUSHES_BETWEEN_KILLS;
        world.start(victim);
      }
      store.pull().await();
      float sum = pushes;
      for (Tensor parameter : store.model().parameters()) {
        assertThat(parameter.values()).as("seed %d", seed).containsOnly(sum);
      }
    }
    Collections.sort(longest);
    LOG.log(
        System.Logger.Level.WARNING,
        "longest push after each kill -9 of a server, in ms: {0}; {1} pushes",
        longest,
        pushes);
  }
}
