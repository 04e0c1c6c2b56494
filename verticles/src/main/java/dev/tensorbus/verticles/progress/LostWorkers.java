// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How the processes of lost workers ended. Only their launcher, the parent process, knows it. It
/// writes that to a file, which the page of one of the workers reads.
///
/// @param file the file, with a line for each loss
public record LostWorkers(Path file) {
  private static final String VARIABLE = "TENSORBUS_LOST_WORKERS";
  private static final String SEPARATOR = "\t";

  /// Creates the file of a launcher.
  public static LostWorkers create() throws IOException {
    return new LostWorkers(Files.createTempFile("tensorbus-lost-workers", ".txt"));
  }

  /// Returns the environment variable that names the file to workers.
  public Map<String, String> variable() {
    return Map.of(VARIABLE, file.toString());
  }

  /// Writes how a worker's process ended. Does nothing if that is impossible, as on a full disk,
  /// because the page can do without.
  public void add(String worker, String manner) {
    try {
      Files.write(file, List.of(worker + SEPARATOR + manner), StandardOpenOption.APPEND);
    } catch (IOException e) {
      return;
    }
  }

  /// Deletes the file.
  public void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      return; // it is among temporary files
    }
  }

  /// Returns how the latest process of each lost worker ended, by the worker's name; empty without
  /// a launcher on this machine. Blocks.
  public static Map<String, String> read() {
    String file = System.getenv(VARIABLE);
    return file == null ? Map.of() : new LostWorkers(Path.of(file)).manners();
  }

  Map<String, String> manners() {
    Map<String, String> manners = new HashMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(SEPARATOR, 2);
        if (words.length == 2) {
          manners.put(words[0], words[1]);
        }
      }
    } catch (IOException e) {
      return Map.of(); // the launcher has ended
    }
    return manners;
  }
}
