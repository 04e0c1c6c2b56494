// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Tls;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The gateway as Python's grpcio and docs/grpc's client see it.
@Tag("slow")
class PythonGatewayTest {
  @Test
  void pythonDrivesEveryMethodAndReadsEveryError() throws Exception {
    drive(GatewayOptions.onLoopback(0), List.of());
  }

  @Test
  void pythonDoesSoOverTls(@TempDir Path folder) throws Exception {
    Tls tls = Certificates.make(folder);
    drive(GatewayOptions.onLoopback(0).with(tls), List.of(tls.certificate().toString()));
  }

  private static void drive(GatewayOptions options, List<String> more) throws Exception {
    Limits limits = Limits.STANDARD.withBytes(4 << 20, 16 << 20);
    try (TestGateway world = new TestGateway(options.withToken("s3cret").within(limits), 2)) {
      List<String> arguments = new ArrayList<>();
      arguments.add(Integer.toString(world.gateway.port()));
      arguments.addAll(more);
      Python.run("python drove the gateway", "gateway.py", arguments);
    }
  }

  @Test
  void mnistsNetworkAndPyTorchsAreOneModelByNameAndByValue() throws Exception {
    Python.assumeTorch();
    try (TestGateway world = new TestGateway()) {
      Supplier<MnistNet> network = () -> new MnistNet(new SplittableRandom(1));
      GrpcGateway gateway = serve(world, network, Shape.of(1, 28, 28), new Sgd(0.03));
      Python.run("one model", "mnist.py", List.of(Integer.toString(gateway.port())));
      gateway.close().await();
    }
  }

  /// Opens a gateway to a network whose parameters are on the world's server.
  private static <N extends Layer & Forward> GrpcGateway serve(
      TestGateway world, Supplier<N> network, Shape example, OptimizerSpec optimizer) {
    ModelServer model =
        ModelServer.ofStore(world.helper, network, example, optimizer, StoreOptions.of("server"));
    Exports exports = Exports.of().with(model);
    return GrpcGateway.open(world.helper, GatewayOptions.onLoopback(0), exports).await();
  }

  @Test
  void aTorchModuleTrainsAServedNetworkInTheExample() throws Exception {
    Python.assumeTorch();
    try (TestGateway world = new TestGateway()) {
      Supplier<Sequential> network =
          () -> {
            var random = new SplittableRandom(1);
            return new Sequential(new Linear(2, 16, random), new Relu(), new Linear(16, 4, random));
          };
      GrpcGateway gateway = serve(world, network, Shape.of(2), new Adam(0.01));
      String target = "localhost:" + gateway.port();
      Process python =
          Python.start("../../../../../../../examples/python/train.py", List.of(target));
      String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(output).matches("accuracy (0\\.9\\d|1\\.00)\n");
      gateway.close().await();
    }
  }
}
