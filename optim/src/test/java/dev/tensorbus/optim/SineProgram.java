// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Tanh;
import dev.tensorbus.nn.functional.Losses;
import java.io.PrintStream;
import java.util.SplittableRandom;

/// The program of `docs/compiled.md`, which learns the sine.
final class SineProgram {
  private SineProgram() {}

  /// Returns the last loss.
  static float run(PrintStream out) {
    var random = new SplittableRandom(1);
    var net = new Sequential(new Linear(1, 32, random), new Tanh(), new Linear(32, 1, random));
    Optimizer optimizer = new Adam(0.01).over(net.parameters());
    float loss = 1;
    try (var compiled = Compiled.of(net, Losses::mseLoss, optimizer, Device.CPU)) {
      for (int step = 1; step <= 400; step++) {
        Tensor x = Tensor.randn(random, 64, 1);
        loss = compiled.step(x, x.sin()).item();
        if (step % 100 == 0) {
          out.printf("step %d  loss %.5f%n", step, loss);
        }
      }
    }
    return loss;
  }
}
