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

/// The programs that `tensorbus train` knows.
public final class Programs {
  private static final List<Program> OURS =
      List.of(
          MnistProgram.PROGRAM, BatchProgram.PROGRAM, CartPoleProgram.PROGRAM, RnnProgram.PROGRAM);

  private Programs() {}

  /// All of them, in the order of help: ours, and then those of users.
  ///
  /// @throws UsageException if two have one name, or one of a user's does not load
  public static List<Program> all() {
    return with(ServiceLoader.load(ProgramProvider.class));
  }

  static List<Program> with(Iterable<ProgramProvider> providers) {
    List<Program> all = new ArrayList<>(OURS);
    try {
      providers.forEach(provider -> all.add(requireOwnName(provider, all)));
    } catch (ServiceConfigurationError e) {
      throw new UsageException("a program of yours does not load: " + e.getMessage());
    }
    return List.copyOf(all);
  }

  private static Program requireOwnName(ProgramProvider provider, List<Program> others) {
    Program program = provider.program();
    if (others.stream().anyMatch(other -> other.name().equals(program.name()))) {
      throw new UsageException(
          "%s provides a program \"%s\", and there is another of that name; give yours a new one"
              .formatted(provider.getClass().getName(), program.name()));
    }
    return program;
  }

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
