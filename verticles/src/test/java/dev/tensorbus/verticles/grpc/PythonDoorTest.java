// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.grpc.model.Batching;
import dev.tensorbus.verticles.grpc.model.Predictor;
import dev.tensorbus.verticles.grpc.model.ServedModel;
import dev.tensorbus.verticles.grpc.server.DoorOptions;
import dev.tensorbus.verticles.grpc.server.DoorOptions.Limits;
import dev.tensorbus.verticles.grpc.server.DoorOptions.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The door as Python's grpcio and docs/grpc's client see it.
class PythonDoorTest {
  @Test
  void pythonDrivesEveryMethodAndReadsEveryError() throws Exception {
    drive(DoorOptions.onLoopback(0), List.of());
  }

  @Test
  void pythonDoesSoOverTls(@TempDir Path folder) throws Exception {
    Tls tls = Certificates.make(folder);
    drive(DoorOptions.onLoopback(0).with(tls), List.of(tls.certificate().toString()));
  }

  private static void drive(DoorOptions options, List<String> more) throws Exception {
    Limits limits = new Limits(4 << 20, 16 << 20, 0, 100);
    try (TestDoor world = new TestDoor(options.withToken("s3cret").within(limits), 2)) {
      List<String> arguments = new ArrayList<>();
      arguments.add(Integer.toString(world.door.port()));
      arguments.addAll(more);
      Python.run("python drove the door", "door.py", arguments);
    }
  }

  @Test
  void mnistsNetworkAndPyTorchsAreOneModelByNameAndByValue() throws Exception {
    Python.assumeTorch();
    MnistNet net = new MnistNet(new SplittableRandom(1));
    MnistNet twin = new MnistNet(new SplittableRandom(2));
    Predictor predictor = new Predictor(twin, twin::forward, Shape.of(1, 28, 28));
    Batching batching = new Batching(16, Duration.ZERO);
    try (TestDoor world = new TestDoor()) {
      Exports exports =
          Exports.of().with(new ServedModel(net, predictor, new Sgd(0.03), 0, batching));
      Door door = Door.open(world.vertx, world.helper, DoorOptions.onLoopback(0), exports).await();
      Python.run("one model", "mnist.py", List.of(Integer.toString(door.port())));
      door.close().await();
    }
  }
}
