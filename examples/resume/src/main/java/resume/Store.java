// SPDX-License-Identifier: Apache-2.0
package resume;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.rpc.Rpc;
import java.util.Random;

/// Three workers hold the parameters, each of them twice, and train on their shares of the digits.
/// If one other than worker0 is killed, the others go on at once.
public final class Store {
  private static final String[] SERVERS = {"worker0", "worker1", "worker2"};

  public static void main(String[] args) {
    Rpc.run(
        rpc -> {
          ParameterServer.start(rpc, ServerOptions.of(SERVERS).withBackups(1));
          System.out.println("server and trainer in process " + ProcessHandle.current().pid());
          train(rpc);
        });
  }

  private static void train(Rpc rpc) {
    var random = new Random(1);
    var network =
        new Sequential(
            new Flatten(), new Linear(784, 64, random), new Relu(), new Linear(64, 10, random));
    var digits =
        DataLoader.of(StrokeDigits.draw(8000, new Random(1)), 32, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id(), rpc.worldSize());
    var options = StoreOptions.of(SERVERS).withTrainers(rpc.worldSize()).withConsistency("ssp:4");
    try (var store = ParameterStore.join(rpc, network, new Sgd(0.05), options)) {
      Trainer.of(store, new CrossEntropyLoss()).fit(digits, 4);
    }
  }
}
