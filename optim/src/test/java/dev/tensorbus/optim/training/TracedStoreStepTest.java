// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.TracedWorkers;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One trace goes from a trainer's step through its pushes to the backups.
class TracedStoreStepTest {
  private final TracedWorkers workers = new TracedWorkers(4);

  @AfterEach
  void close() {
    workers.close();
  }

  @Test
  void pushesAndTheirBackupsAreSpansOfTheStep() {
    ServerOptions servers =
        ServerOptions.of("worker0", "worker1").withWitnesses("worker2").withBackups(1);
    for (int rank = 0; rank < 3; rank++) {
      ParameterServer.start(workers.worker(rank), servers);
    }
    var net = new Sequential(new Flatten(), new Linear(784, 10, new Random(1)));
    StoreOptions options = StoreOptions.of("worker0", "worker1");
    var digits = DataLoader.of(StrokeDigits.draw(50, new Random(1)), 25, Batch::of);
    try (var store = ParameterStore.join(workers.worker(3), net, new Sgd(0.1), options)) {
      Trainer.of(store, new CrossEntropyLoss()).fit(digits, 1);
    }
    assertThat(workers.namesWithParents("step"))
        .contains(
            "null > step",
            "step > ParameterServer.push",
            "ParameterServer.push > ParameterServer.push",
            "ParameterServer.push > ParameterServer.backUp",
            "ParameterServer.backUp > ParameterServer.backUp",
            "step > ParameterServer.pull",
            "ParameterServer.pull > ParameterServer.pull");
  }
}
