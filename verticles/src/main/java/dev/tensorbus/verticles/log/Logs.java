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

/// How a program of ours logs, on standard error. An application that embeds a worker never calls
/// it; neither does anything here change a JVM that was started with a configuration of its own.
public final class Logs {
  private static final List<String> OWN_CONFIGURATION =
      List.of("java.util.logging.config.file", "java.util.logging.config.class");

  private static final String JSON = "json";
  private static final String WORKER = "tensorbus.worker";

  /// Their lines are of use to those who look for a fault.
  private static final List<String> LIBRARIES = List.of("com.hazelcast", "io.netty", "io.vertx");

  private Logs() {}

  /// Sets up what the environment asks for.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if a variable has a value that will not do
  public static void begin() {
    configure(given(Setting.LOG_LEVEL), given(Setting.LOG_FORMAT));
  }

  /// The value of one of the two settings in the environment, or its standard.
  ///
  /// @throws dev.tensorbus.verticles.UsageException if the value will not do
  public static String given(Setting setting) {
    String word = System.getenv(setting.variable());
    if (word == null) {
      return (String) Objects.requireNonNull(setting.standard());
    }
    setting.check(setting.variable(), word);
    return word;
  }

  /// Sets up what a worker's options ask for, before anything takes hold of standard error.
  public static void configure(WorkerOptions options) {
    configure(options.word(Setting.LOG_LEVEL), options.word(Setting.LOG_FORMAT));
  }

  /// The same with values of the two settings.
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

  /// The packed `logging.properties`, changed as the settings ask.
  static Properties properties(String level, String format) {
    Properties properties = new Properties();
    try (InputStream file = Logs.class.getResourceAsStream("logging.properties")) {
      properties.load(Objects.requireNonNull(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // By number, since java.util.logging has other names for the same levels.
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

  /// Tells which worker this process is; its lines have the name from now on.
  static void worker(String name) {
    System.setProperty(WORKER, name);
  }

  /// Tells a JVM that is started which worker it will be.
  public static String workerFlag(String name) {
    return "-D" + WORKER + "=" + name;
  }

  /// The worker that this process is, once that is known.
  static Optional<String> worker() {
    return Optional.ofNullable(System.getProperty(WORKER));
  }
}
