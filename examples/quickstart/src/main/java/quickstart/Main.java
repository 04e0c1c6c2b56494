// SPDX-License-Identifier: Apache-2.0
package quickstart;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.util.Random;

/// Worker 0 holds the network. The other workers train it, each on its share of the digits.
public final class Main {
  @Remote // other workers may call it
  static Network network() {
    return Rpc.current().shared(Network.class, Network::new);
  }

  public static void main(String[] args) {
    Rpc.run(
        rpc -> {
          if (rpc.self().id() > 0) {
            train(rpc);
          }
        });
  }

  /// Returns the accuracy on digits that were not used for training.
  static double train(Rpc rpc) {
    int trainers = rpc.workers().size() - 1;
    var digits =
        DataLoader.of(StrokeDigits.draw(8000, new Random(1)), 32, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id() - 1, trainers);
    Batch test = Batch.of(StrokeDigits.draw(1000, new Random(2)));
    var network = new RemoteLayer<>(rpc.remote("worker0", Main::network));
    var optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), network.remoteParameters());
    rpc.progress().start(3L * digits.size());
    double accuracy = 0;
    for (int epoch = 1; epoch <= 3; epoch++) {
      for (Batch batch : digits) {
        try (var context = DistAutograd.context(rpc)) { // one step, on all workers
          Tensor scores = network.rpcSync(Network::forward, batch.inputs());
          Tensor loss = Losses.crossEntropy(scores, batch.targets());
          context.backward(loss);
          optimizer.step(context);
          rpc.progress().step(batch.size(), loss.item()); // for the terminal and the page
        }
      }
      accuracy = accuracy(network, test);
      System.out.printf("epoch %d  accuracy %.3f%n", epoch, accuracy);
    }
    return accuracy;
  }

  private static double accuracy(RemoteLayer<Network> network, Batch test) {
    long[] named = network.rpcSync(Network::forward, test.inputs()).argmax(1).longs();
    int right = 0;
    for (int i = 0; i < named.length; i++) {
      right += named[i] == test.targets().longs()[i] ? 1 : 0;
    }
    return (double) right / named.length;
  }
}
