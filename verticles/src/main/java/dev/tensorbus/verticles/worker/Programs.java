// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.batch.BatchProgram;
import dev.tensorbus.verticles.cartpole.CartPoleProgram;
import dev.tensorbus.verticles.mnist.MnistProgram;
import dev.tensorbus.verticles.rnn.RnnProgram;
import java.util.List;
import java.util.stream.Collectors;

/// The programs that `tensorbus train` knows.
public final class Programs {
  /// All of them, in the order of help.
  public static final List<Program> ALL =
      List.of(
          MnistProgram.PROGRAM, BatchProgram.PROGRAM, CartPoleProgram.PROGRAM, RnnProgram.PROGRAM);

  private Programs() {}

  /// @throws UsageException if there is none of this name
  static Program named(String name, List<Program> programs) {
    return programs.stream()
        .filter(program -> program.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown program \"%s\"; known programs: %s".formatted(name, names(programs))));
  }

  /// The names of these programs, for an error.
  public static String names(List<Program> programs) {
    return programs.stream().map(Program::name).collect(Collectors.joining(", "));
  }
}
