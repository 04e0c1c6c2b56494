// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.MseLoss;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreTrainerTest {
  private static final int TRAINERS = 2;

  private static List<Epoch> train(Rpc rpc) {
    var net = new Sequential(new Flatten(), new Linear(784, 10, new Random(1)));
    var options = StoreOptions.of("worker0").withTrainers(TRAINERS);
    var digits =
        DataLoader.of(StrokeDigits.draw(1000, new Random(1)), 25, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id() - 1, TRAINERS);
    Batch test = Batch.of(StrokeDigits.draw(200, new Random(2)));
    try (var store = ParameterStore.join(rpc, net, new Sgd(0.1), options)) {
      return Trainer.of(store, new CrossEntropyLoss())
          .withClipping(Clipping.byNorm(5))
          .fit(digits, List.of(test), 3);
    }
  }

  @Test
  @WithWorkers(3)
  void trainersOfAStoreLearnTogether(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    List<Future<List<Epoch>>> trained =
        IntStream.rangeClosed(1, TRAINERS)
            .mapToObj(rank -> world.submit(rank, StoreTrainerTest::train))
            .toList();
    Future.all(trained).await();
    List<Epoch> first = trained.get(0).result();
    assertThat(loss(first.getLast())).isLessThan(loss(first.getFirst()));
    assertThat(loss(first.getLast())).isEqualTo(loss(trained.get(1).result().getLast()));
  }

  @Test
  @WithWorkers(2)
  void checkpointsOfAStoreAreRefused(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    var net = new Linear(2, 1, new Random(1));
    try (var store =
        ParameterStore.join(world.worker(1), net, new Sgd(0.1), StoreOptions.of("worker0"))) {
      var trainer = Trainer.of(store, new MseLoss());
      assertThatThrownBy(() -> trainer.withCheckpoints(new Checkpoints(Path.of("unused"), 1)))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("load it into the model before the first trainer joins the store");
    }
  }

  private static double loss(Epoch epoch) {
    return epoch.scalars().get("validation/loss");
  }
}
