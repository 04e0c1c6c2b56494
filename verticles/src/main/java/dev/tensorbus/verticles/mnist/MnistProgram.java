// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.verticles.Program;

/// `tensorbus train mnist`.
public final class MnistProgram {
  /// A ConvNet on a parameter server, driven by trainers through distributed autograd.
  public static final Program PROGRAM =
      new Program(
          "mnist",
          "a ConvNet that reads handwritten digits, on a parameter server",
          Data::of,
          (options, progress) -> new ParameterServerVerticle(options),
          TrainerVerticle::new);

  private MnistProgram() {}
}
