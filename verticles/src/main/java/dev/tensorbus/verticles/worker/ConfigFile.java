// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Ranks;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.ServerSettings;
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

/// The `-conf` argument of a role's main: a JSON file or, as in Vert.x, inline JSON. Environment
/// variables override the file, because a container's file is part of its image. An unreadable file
/// is an error, not only a warning as in the Vert.x launcher: the worker would otherwise start in
/// the wrong world.
final class ConfigFile {
  private final Role role;
  private final List<Program> programs;
  private final Map<String, String> variables;

  /// Creates the reader for a worker with this role in one of these programs.
  ///
  /// @param variables the environment variables
  ConfigFile(Role role, List<Program> programs, Map<String, String> variables) {
    this.role = role;
    this.programs = programs;
    this.variables = variables;
  }

  /// Reads the options.
  ///
  /// @throws UsageException with a one-line message if anything is wrong
  WorkerOptions read(List<String> arguments) {
    String source = source(arguments);
    boolean inline = source.startsWith("{");
    String name = inline ? "-conf" : source;
    try {
      JsonObject json = parse(inline ? source : text(source));
      Program program = program(json);
      json.mergeIn(program.settings().given(variables));
      return withRole(program, WorkerOptions.of(program.settings(), requireWorldSize(json)));
    } catch (UsageException e) {
      throw new UsageException(name + ": " + e.getMessage());
    }
  }

  private Program program(JsonObject json) {
    Object named = json.getValue(Setting.PROGRAM.key(), Setting.PROGRAM.standard());
    String name = variables.getOrDefault(Setting.PROGRAM.variable(), String.valueOf(named));
    Program program = Programs.named(name, programs);
    boolean isWitness =
        role == Role.WITNESS && program.settings().has(ServerSettings.WITNESS.key());
    if (program.first().role() != role && program.others().role() != role && !isWitness) {
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
          "%s expects -conf FILE, for example -conf config/%s.json; given: %s"
              .formatted(
                  role.label(),
                  role.label(),
                  arguments.isEmpty() ? "no arguments" : String.join(" ", arguments)));
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
          "not a JSON object: it starts with " + json.substring(0, Math.min(1, json.length())));
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
      throw new UsageException("worldSize is missing; expected the number of workers");
    }
    return json;
  }

  private WorkerOptions withRole(Program program, WorkerOptions options) {
    if (role.isFirst() && options.rank().isEmpty()) {
      return options.with(Setting.RANK, 0);
    }
    options.rank().ifPresent(rank -> requireOwn(rank, program, options));
    return options;
  }

  private void requireOwn(int rank, Program program, WorkerOptions options) {
    Role found = program.binding(rank, options).role();
    boolean isOwn =
        found == role || (found == Role.WITNESS && role == Role.PARAMETER_SERVER); // one jar
    if (!isOwn) {
      throw new UsageException(
          "rank is %d; expected %s for the role %s"
              .formatted(rank, expectedRanks(Ranks.of(options)), role.label()));
    }
  }

  private String expectedRanks(Ranks ranks) {
    boolean isWitnessToo = role == Role.PARAMETER_SERVER && ranks.witnesses() > 0;
    int first = ranks.first(role);
    int last = ranks.last(isWitnessToo ? Role.WITNESS : role);
    if (last == 0) {
      return "0 or none";
    }
    return first == last ? Integer.toString(first) : first + " to " + last;
  }
}
