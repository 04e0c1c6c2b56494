// SPDX-License-Identifier: Apache-2.0
package onnx;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Accelerated;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.nn.StateDict;
import java.nio.file.Path;
import java.util.Random;

/// Computes the forward passes of a network in ONNX Runtime, on a GPU if there is one.
public final class Predict {
  public static void main(String[] args) {
    var network = new ResNet(ResNetOptions.resnet18(10).forSmallImages(), new Random(1));
    if (args.length > 0) {
      network.load(StateDict.read(Path.of(args[0])));
    }
    Device device = Device.cuda(0).isAvailable() ? Device.cuda(0) : Device.CPU;
    Tensor images = Tensor.randn(new Random(2), 8, 3, 32, 32);
    try (var accelerated = Accelerated.of(network, network::forward, device)) {
      for (int pass = 1; pass <= 6; pass++) { // the first is computed in Java, and recorded
        long start = System.nanoTime();
        Tensor scores = Evaluation.call(() -> accelerated.forward(images));
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
            "%s  pass %d  class %d  %.0f images/s%n",
            device, pass, scores.argmax(1).longs()[0], 8 / seconds);
      }
    }
  }
}
