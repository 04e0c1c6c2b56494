// SPDX-License-Identifier: Apache-2.0
package python;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.GatewayExtension;
import java.util.Random;

/// Serves a network that train.py trains, until the training has ended.
public final class Serve {
  static Sequential network() {
    var random = new Random(1);
    return new Sequential(new Linear(2, 16, random), new Relu(), new Linear(16, 4, random));
  }

  public static void main(String[] args) {
    Rpc.run(
        rpc -> {
          ParameterServer.start(rpc, ServerOptions.of("worker0"));
          var options = StoreOptions.of("worker0"); // one trainer
          var model =
              ModelServer.ofStore(rpc, Serve::network, Shape.of(2), new Adam(0.01), options);
          model.onStep(step -> rpc.progress().step(step.examples(), step.loss()));
          GatewayExtension.open(rpc, Exports.of().with(model)).await();
          model.trained().await();
        });
  }
}
