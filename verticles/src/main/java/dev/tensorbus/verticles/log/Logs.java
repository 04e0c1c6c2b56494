// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.LogManager;

/// Configures logging to standard error for our own programs. Applications that embed a worker do
/// not use this class. This class has no effect in a JVM that was started with a logging
/// configuration.
public final class Logs {
  private static final List<String> OWN_CONFIGURATION =
      List.of("java.util.logging.config.file", "java.util.logging.config.class");

  private static final String JSON = "json";
  private static final String WORKER = "tensorbus.worker";

  /// Libraries whose log level is set to ours if that is debug or trace.
  private static final List<String> LIBRARIES = List.of("com.hazelcast", "io.netty", "io.vertx");

  private Logs() {}

  /// Configures logging from the environment.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if a variable has an invalid value
  public static void begin() {
    configure(given(Setting.LOG_LEVEL), given(Setting.LOG_FORMAT));
  }

  /// Returns the value of the log level or format from the environment, or its default.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if the value is invalid
  public static String given(Setting setting) {
    String word = System.getenv(setting.variable());
    if (word == null) {
      return (String) Objects.requireNonNull(setting.standard());
    }
    setting.check(setting.variable(), word);
    return word;
  }

  /// Configures logging from a worker's options. Must be called before any code stores a reference
  /// to `System.err`.
  public static void configure(WorkerOptions options) {
    configure(options.word(Setting.LOG_LEVEL), options.word(Setting.LOG_FORMAT));
  }

  /// Configures logging with this level and format.
  public static void configure(String level, String format) {
    if (OWN_CONFIGURATION.stream().anyMatch(name -> System.getProperty(name) != null)) {
      return;
    }
    PrintStream plain = System.err instanceof JsonErrors json ? json.plain() : System.err;
    System.setErr(format.equals(JSON) ? new JsonErrors(plain) : plain);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      properties(level, format).store(text, null);
      LogManager.getLogManager().readConfiguration(new ByteArrayInputStream(text.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the bundled `logging.properties`, adapted to the settings.
  static Properties properties(String level, String format) {
    Properties properties = new Properties();
    try (InputStream file = Logs.class.getResourceAsStream("logging.properties")) {
      properties.load(Objects.requireNonNull(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // By number, because java.util.logging names these levels differently.
    System.Logger.Level least = System.Logger.Level.valueOf(level.toUpperCase(Locale.ROOT));
    String number = Integer.toString(least.getSeverity());
    properties.setProperty("dev.tensorbus.level", number);
    switch (least) {
      case ERROR -> properties.setProperty(".level", number);
      case DEBUG, TRACE ->
          LIBRARIES.forEach(name -> properties.setProperty(name + ".level", number));
      default -> {}
    }
    if (format.equals(JSON)) {
      properties.setProperty(
          "java.util.logging.ConsoleHandler.formatter", JsonFormatter.class.getName());
    }
    return properties;
  }

  /// Sets the name of the worker in this process; later log lines contain it.
  static void worker(String name) {
    System.setProperty(WORKER, name);
  }

  /// Returns the JVM flag that tells a new process the name of its worker.
  public static String workerFlag(String name) {
    return "-D" + WORKER + "=" + name;
  }

  /// Returns the name of the worker in this process, once known.
  static Optional<String> worker() {
    return Optional.ofNullable(System.getProperty(WORKER));
  }
}
