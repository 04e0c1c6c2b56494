// SPDX-License-Identifier: Apache-2.0
package example;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.autograd.DistAutograd;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/// A worker that has a weight, and one that trains it: `Application RANK PORT`.
public final class Application {
  private final Tensor weight = Tensor.parameterOf(Tensor.of(1, 2, 3));

  @Remote
  Application() {}

  @Remote
  Tensor forward(Tensor input) {
    return weight.mul(input).sum();
  }

  @Remote
  RRef<Tensor> weight() {
    return Rpc.current().rref(weight);
  }

  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[0]);
    int port = Integer.parseInt(arguments[1]);
    Vertx vertx = new Cluster("127.0.0.1", port, rank == 0, Duration.ofMinutes(3)).start();
    Rpc rpc = Rpc.init(vertx, "worker" + rank, RpcOptions.worldSize(2).withRank(rank));
    if (rank == 1) {
      train(rpc);
    }
    rpc.close();
    vertx.close().await();
  }

  private static void train(Rpc rpc) {
    RRef<Application> model = rpc.remote("worker0", Application::new);
    RRef<Tensor> weight = model.rpcSync(Application::weight);
    var optimizer = DistributedOptimizer.create(rpc, new Sgd(0.5f), List.of(weight));
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = model.rpcSync(Application::forward, Tensor.of(2, 4, 6));
      context.backward(loss);
      optimizer.step(context);
    }
    System.out.println("trained " + weight.toHere());
  }
}
