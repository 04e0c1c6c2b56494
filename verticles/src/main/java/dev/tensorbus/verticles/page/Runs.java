// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.reverseOrder;

import dev.tensorbus.verticles.UsageException;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A folder of runs, each a file of JSON lines: the properties of the run, and the points of its
/// curves. A file of [dev.tensorbus.optim.training.curve.JsonLinesWriter] is a run without
/// properties. All methods block.
///
/// @param folder the folder
record Runs(Path folder) {
  private static final String SUFFIX = ".jsonl";

  /// The names of files that a world has written. Only these are deleted.
  private static final String KEPT = "\\d{8}-\\d{6}-.*\\.jsonl";

  private static final int MOST_KEPT = 100;
  private static final int MOST_LISTED = 1_000;
  private static final long LARGEST = 64 << 20;
  private static final int LONGEST_LINE = 1 << 20;

  /// Opens a folder, and creates it if necessary.
  ///
  /// @throws UsageException if it cannot be created
  static Runs in(Path folder) {
    try {
      Files.createDirectories(folder);
      return new Runs(folder);
    } catch (IOException e) {
      throw new UsageException(
          "the folder of runs %s cannot be created (%s); use another folder".formatted(folder, e));
    }
  }

  /// Returns the name of the file for a new run.
  static String fileOf(JsonObject about) {
    String time = about.getInstant("started").toString().substring(0, 19).replaceAll("[-:]", "");
    String program = about.getString("program").replaceAll("[^A-Za-z0-9.]", "_");
    return time.replace('T', '-') + "-" + program + SUFFIX;
  }

  /// Returns the `runs`, the newest first, each with its file's name as `id` and its properties as
  /// `run`, and a line for each file that was `skipped`.
  JsonObject list() {
    JsonArray runs = new JsonArray();
    JsonArray skipped = new JsonArray();
    for (Path file : files()) {
      try {
        String id = file.getFileName().toString();
        runs.add(new JsonObject().put("id", id).put("run", properties(file)));
      } catch (IOException | DecodeException | ClassCastException | IllegalArgumentException e) {
        String reason = e instanceof IllegalArgumentException ? e.getMessage() : "is damaged";
        skipped.add("skipped " + file.getFileName() + ": its first line " + reason);
      }
    }
    return new JsonObject().put("runs", runs).put("skipped", skipped);
  }

  private List<Path> files() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(SUFFIX))
          .filter(Files::isRegularFile)
          .sorted(reverseOrder())
          .limit(MOST_LISTED)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonObject properties(Path file) throws IOException {
    char[] start = new char[LONGEST_LINE];
    int read;
    try (BufferedReader reader = Files.newBufferedReader(file, UTF_8)) {
      read = Math.max(0, reader.read(start));
    }
    String text = new String(start, 0, read);
    int end = text.indexOf('\n');
    JsonObject line = new JsonObject(end < 0 ? text : text.substring(0, end));
    if (!line.containsKey("run") && !line.containsKey("time")) {
      throw new IllegalArgumentException("has neither the properties of a run nor a time");
    }
    return line.getJsonObject("run", new JsonObject());
  }

  /// Returns the file of a run of the list, unless it is too large.
  Optional<Path> find(String id) {
    return files().stream()
        .filter(file -> file.getFileName().toString().equals(id) && size(file) <= LARGEST)
        .findFirst();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return Long.MAX_VALUE; // it has just been deleted
    }
  }

  /// Replaces the file of a run in one step, so that a reader never sees half of it. Deletes the
  /// oldest runs of worlds if there are too many.
  void save(String name, String lines) throws IOException {
    Path part = folder.resolve(name + ".part");
    try {
      Files.writeString(part, lines);
      Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
    List<Path> kept =
        files().stream().filter(file -> file.getFileName().toString().matches(KEPT)).toList();
    for (Path old : kept.subList(Math.min(MOST_KEPT, kept.size()), kept.size())) {
      Files.deleteIfExists(old);
    }
  }
}
