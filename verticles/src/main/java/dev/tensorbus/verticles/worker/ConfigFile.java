// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The `-conf` of a role's main: a JSON file or, as Vert.x has it too, JSON itself. A variable of
/// the environment wins over the file, since a container has its file from its image. The Vert.x
/// launcher goes on with a warning when it cannot read the file; a worker of another world would
/// start.
final class ConfigFile {
  private final Role role;
  private final List<Program> programs;
  private final Map<String, String> variables;

  /// The file of a worker that plays `role` in one of these programs.
  ///
  /// @param variables of the environment
  ConfigFile(Role role, List<Program> programs, Map<String, String> variables) {
    this.role = role;
    this.programs = programs;
    this.variables = variables;
  }

  /// @throws UsageException in one line for whatever is wrong
  WorkerOptions read(List<String> arguments) {
    String source = source(arguments);
    boolean inline = source.startsWith("{");
    String name = inline ? "-conf" : source;
    try {
      JsonObject json = parse(inline ? source : text(source));
      Program program = program(json);
      json.mergeIn(program.settings().given(variables));
      return withRole(WorkerOptions.of(program.settings(), requireWorldSize(json)));
    } catch (UsageException e) {
      throw new UsageException(name + ": " + e.getMessage());
    }
  }

  private Program program(JsonObject json) {
    Object named = json.getValue(Setting.PROGRAM.key(), Setting.PROGRAM.standard());
    String name = variables.getOrDefault(Setting.PROGRAM.variable(), String.valueOf(named));
    Program program = Programs.named(name, programs);
    if (program.first().role() != role && program.others().role() != role) {
      throw new UsageException(
          "program %s has no %s; its roles are %s and %s"
              .formatted(
                  program.name(),
                  role.label(),
                  program.first().role().label(),
                  program.others().role().label()));
    }
    return program;
  }

  private String source(List<String> arguments) {
    if (arguments.size() != 2 || !arguments.getFirst().matches("--?conf")) {
      throw new UsageException(
          "%s takes -conf FILE and nothing else, given: %s; for example -conf config/%s.json"
              .formatted(
                  role.label(),
                  arguments.isEmpty() ? "nothing" : String.join(" ", arguments),
                  role.label()));
    }
    return arguments.get(1);
  }

  private String text(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (NoSuchFileException e) {
      throw new UsageException(
          "no such file; expected a JSON file such as config/" + role.label() + ".json");
    } catch (IOException e) {
      throw new UsageException("cannot be read: " + e);
    }
  }

  private static JsonObject parse(String text) {
    String json = text.strip();
    if (!json.startsWith("{")) {
      throw new UsageException(
          "not a JSON object: it begins with " + json.substring(0, Math.min(1, json.length())));
    }
    try {
      return new JsonObject(json);
    } catch (DecodeException e) {
      String reason = String.valueOf(e.getMessage()).replaceFirst("^Failed to decode: ?", "");
      throw new UsageException("not a JSON object: " + reason.lines().findFirst().orElse(reason));
    }
  }

  private static JsonObject requireWorldSize(JsonObject json) {
    if (!json.containsKey(Setting.WORLD_SIZE.key())) {
      throw new UsageException("worldSize is missing; expected how many workers there are in all");
    }
    return json;
  }

  private WorkerOptions withRole(WorkerOptions options) {
    if (role.isFirst() && options.rank().isEmpty()) {
      return options.with(Setting.RANK, 0);
    }
    options.rank().ifPresent(rank -> requireOwn(rank, options));
    return options;
  }

  private void requireOwn(int rank, WorkerOptions options) {
    if (role.isFirst() != (rank == 0)) {
      throw new UsageException(
          "rank is %d, which is no %s's; expected %s"
              .formatted(
                  rank,
                  role.label(),
                  role.isFirst() ? "0, or no rank" : "1 to " + (options.worldSize() - 1)));
    }
  }
}
