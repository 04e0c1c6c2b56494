// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.onnx.memory.NativeSession;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The nodes that ONNX Runtime has run, from its profiles.
///
/// @param events an operator and a provider for each run of a node
record NodeProfile(List<Event> events) {
  /// One run of a node.
  record Event(String operator, String provider) {}

  /// Returns the nodes of the sessions that `steps` opens and closes.
  static NodeProfile of(Runnable steps) {
    try {
      Path folder = Files.createTempDirectory("tensorbus-profile");
      try {
        System.setProperty(NativeSession.PROFILE, folder.resolve("step").toString());
        steps.run();
        return read(folder);
      } finally {
        System.clearProperty(NativeSession.PROFILE);
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static NodeProfile read(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return new NodeProfile(files.flatMap(NodeProfile::events).toList());
    }
  }

  private static Stream<Event> events(Path file) {
    try {
      return new JsonArray(Files.readString(file))
          .stream()
              .map(event -> ((JsonObject) event).getJsonObject("args"))
              .filter(arguments -> arguments != null && arguments.containsKey("provider"))
              .map(node -> new Event(node.getString("op_name"), node.getString("provider")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /// Returns how many times a node copied values between a GPU and Java's memory.
  long copies() {
    return events.stream().filter(event -> event.operator().startsWith("Memcpy")).count();
  }

  /// Returns the operators of the nodes that the CPU has computed.
  Set<String> onCpu() {
    return events.stream()
        .filter(event -> event.provider().equals("CPUExecutionProvider"))
        .map(Event::operator)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
