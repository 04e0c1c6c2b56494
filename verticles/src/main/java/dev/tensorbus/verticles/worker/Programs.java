// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramProvider;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.batch.BatchProgram;
import dev.tensorbus.verticles.cartpole.CartPoleProgram;
import dev.tensorbus.verticles.mnist.MnistProgram;
import dev.tensorbus.verticles.rnn.RnnProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/// The programs of `tensorbus train`.
public final class Programs {
  private static final List<Program> OURS =
      List.of(
          MnistProgram.PROGRAM, BatchProgram.PROGRAM, CartPoleProgram.PROGRAM, RnnProgram.PROGRAM);

  private Programs() {}

  /// Returns all programs in the order of the help text: first the built-in ones, then the users'
  /// own.
  ///
  /// @throws UsageException if two programs have the same name, or a user's program does not load
  public static List<Program> all() {
    return with(ServiceLoader.load(ProgramProvider.class));
  }

  static List<Program> with(Iterable<ProgramProvider> providers) {
    List<Program> all = new ArrayList<>(OURS);
    try {
      providers.forEach(provider -> all.add(requireOwnName(provider, all)));
    } catch (ServiceConfigurationError e) {
      throw new UsageException("a ProgramProvider could not be loaded: " + e.getMessage());
    }
    return List.copyOf(all);
  }

  private static Program requireOwnName(ProgramProvider provider, List<Program> others) {
    Program program = provider.program();
    if (others.stream().anyMatch(other -> other.name().equals(program.name()))) {
      throw new UsageException(
          "%s provides a program \"%s\", but that name is taken; choose another name"
              .formatted(provider.getClass().getName(), program.name()));
    }
    return program;
  }

  /// Returns the program with this name.
  ///
  /// @throws UsageException if no program has this name
  static Program named(String name, List<Program> programs) {
    return programs.stream()
        .filter(program -> program.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown program \"%s\"; known programs: %s".formatted(name, names(programs))));
  }

  /// Returns the names of these programs, for an error message.
  public static String names(List<Program> programs) {
    return programs.stream().map(Program::name).collect(Collectors.joining(", "));
  }
}
