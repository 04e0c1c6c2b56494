// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// A server that answers all trainers when the last of them has come.
class ParameterServerTest {
  private static final int TRAINERS = 3;

  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  /// Averages what its trainers send.
  static final class Averager {
    private Tensor sum = Tensor.zeros(2);
    private int came;
    private Promise<Tensor> round = Promise.promise();

    @Remote
    Averager() {}

    @Remote
    synchronized Future<Tensor> average(Tensor gradient) {
      sum = sum.add(gradient);
      Promise<Tensor> current = round;
      if (++came == TRAINERS) {
        current.complete(sum.scale(1.0 / TRAINERS));
        sum = Tensor.zeros(2);
        came = 0;
        round = Promise.promise();
      }
      return current.future();
    }
  }

  @Remote
  static List<float[]> train(RRef<Averager> server) {
    int id = Rpc.current().self().id();
    List<float[]> averages = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      averages.add(server.rpcSync(Averager::average, Tensor.of(id, id * round)).values());
    }
    return averages;
  }

  @Test
  void allTrainersGetTheAverageOfEachRound() {
    try (World world = HOSTS.open(TRAINERS + 1)) {
      Rpc rpc = world.worker(0);
      RRef<Averager> server = rpc.remote("worker0", Averager::new);
      List<Future<List<float[]>>> trainers = new ArrayList<>();
      for (int trainer = 1; trainer <= TRAINERS; trainer++) {
        trainers.add(rpc.rpcAsync("worker" + trainer, ParameterServerTest::train, server));
      }
      for (Future<List<float[]>> trainer : trainers) {
        List<float[]> averages = trainer.await();
        for (int round = 0; round < 10; round++) {
          assertThat(averages.get(round)).containsExactly(2, 2 * round);
        }
      }
    }
  }
}
