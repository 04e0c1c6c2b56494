// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.grpc.gateway.server.AccessToken;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Tls;
import dev.tensorbus.optim.server.Batching;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The settings of a worker's gRPC gateway.
public final class GatewaySettings {
  private static final int USUAL_PORT = 50_051; // as in gRPC's documents

  /// The port of the gateway. By default, there is no gateway.
  public static final Setting PORT =
      new Setting(
          "grpc-port",
          "P",
          new SettingType.Whole(0, 65_535),
          null,
          "gRPC port; train opens it on rank 0 of a local world, and the next ones on further"
              + " servers; run leaves it to the program (default: off)");

  static final Setting HOST =
      new Setting(
          "grpc-host",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "address that the gRPC port is bound to");

  static final Setting CERT =
      new Setting(
          "grpc-cert",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "PEM certificate; serves gRPC over TLS");

  private static final Setting KEY =
      new Setting(
          "grpc-key",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "PEM private key of --grpc-cert");

  static final Setting TOKEN_FILE =
      new Setting(
          "grpc-token-file",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "file with the bearer tokens of gRPC callers and their rights");

  private static final Setting RATE =
      new Setting(
          "grpc-rate",
          "N",
          new SettingType.Whole(0, 1_000_000),
          Limits.STANDARD.callsPerSecond(),
          "maximum gRPC calls per second from one host; 0 for no limit");

  private static final Setting CALLS =
      new Setting(
          "grpc-calls",
          "N",
          new SettingType.Whole(1, 1_000_000),
          Limits.STANDARD.calls(),
          "maximum concurrent gRPC calls");

  private static final Setting MAX_MESSAGE =
      new Setting(
          "grpc-max-message",
          "BYTES",
          new SettingType.Whole(1 << 10, 1 << 30),
          Limits.STANDARD.messageBytes(),
          "maximum size of a gRPC message");

  private static final Setting MAX_TENSORS =
      new Setting(
          "grpc-max-tensors",
          "BYTES",
          new SettingType.Whole(1 << 10, 1L << 40),
          Limits.STANDARD.tensorBytes(),
          "maximum total size of the tensors of a gRPC call");

  private static final Setting MEMORY =
      new Setting(
          "grpc-memory",
          "BYTES",
          new SettingType.Whole(0, 1L << 40),
          0,
          "memory for the received data of all gRPC calls; 0 for half of the heap");

  private static final Setting IDLE =
      new Setting(
          "grpc-idle",
          "SECONDS",
          new SettingType.Whole(1, 86_400),
          Limits.STANDARD.idle().toSeconds(),
          "maximum wait for a gRPC caller to send or to read");

  /// The gateway settings that every worker has.
  public static final List<Setting> ALL =
      List.of(
          PORT, HOST, CERT, KEY, TOKEN_FILE, RATE, CALLS, MAX_MESSAGE, MAX_TENSORS, MEMORY, IDLE);

  /// The number of trainers that join the run through the gateway.
  public static final Setting TRAINERS =
      new Setting(
          "grpc-trainers",
          "N",
          new SettingType.Whole(0, 1024),
          0,
          "with --servers: number of trainers that join over gRPC; the run ends when they are done,"
              + " too");

  /// The maximum number of examples in one forward pass, which may serve several callers.
  public static final Setting BATCH =
      new Setting(
          "grpc-batch",
          "N",
          new SettingType.Whole(1, 65_536),
          256,
          "maximum examples per gRPC prediction");

  /// How long the first example of a batch waits for others.
  public static final Setting DELAY =
      new Setting(
          "grpc-delay",
          "MILLIS",
          new SettingType.Whole(0, 60_000),
          2,
          "maximum wait of a gRPC prediction for others to join its batch");

  /// Whether pushes of non-finite gradients are dropped instead of refused.
  public static final Setting SKIP_NONFINITE =
      new Setting(
          "grpc-skip-nonfinite",
          "",
          new SettingType.Flag(),
          false,
          "with --servers: drop and count pushes with NaN or infinite gradients instead of refusing"
              + " them");

  private GatewaySettings() {}

  /// Returns the options of a gateway that a user's own program opens.
  ///
  /// @param variables the environment variables
  /// @throws UsageException if a variable has an invalid value
  static GatewayOptions from(Map<String, String> variables) {
    ProgramSettings settings = ProgramSettings.with();
    List<Setting> read = Stream.concat(Setting.SECURITY.stream(), ALL.stream()).toList();
    JsonObject given = new ProgramSettings(read).given(variables);
    WorkerOptions options = WorkerOptions.of(settings, given, Setting::variable);
    return open(options.optionalInt(PORT).orElse(USUAL_PORT), options);
  }

  /// Returns whether the worker has a gateway.
  public static boolean isOn(WorkerOptions options) {
    return options.optionalInt(PORT).isPresent();
  }

  /// Returns the options of the worker's gateway; empty if it has none.
  ///
  /// @throws UsageException if only one of certificate and key is given, or the token file is empty
  public static Optional<GatewayOptions> of(WorkerOptions options) {
    OptionalInt port = options.optionalInt(PORT);
    return port.isEmpty() ? Optional.empty() : Optional.of(open(port.getAsInt(), options));
  }

  private static GatewayOptions open(int port, WorkerOptions options) {
    long memory = options.longWhole(MEMORY);
    Limits limits =
        new Limits(
            options.whole(MAX_MESSAGE),
            options.longWhole(MAX_TENSORS),
            options.whole(RATE),
            options.whole(CALLS),
            memory == 0 ? Limits.STANDARD.memoryBytes() : memory,
            Duration.ofSeconds(options.whole(IDLE)));
    String host = options.word(HOST);
    return new GatewayOptions(host, port, tls(options), tokens(options), limits);
  }

  private static @Nullable Tls tls(WorkerOptions options) {
    Optional<Path> certificate = options.path(CERT);
    Optional<Path> key = options.path(KEY);
    if (certificate.isPresent() != key.isPresent()) {
      throw new UsageException(
          "%s is given without %s; TLS requires both"
              .formatted(
                  (certificate.isPresent() ? CERT : KEY).option(),
                  (certificate.isPresent() ? KEY : CERT).option()));
    }
    return certificate.isPresent() ? new Tls(certificate.get(), key.orElseThrow()) : null;
  }

  /// Reads the tokens from a file, because command lines are visible to all users of a machine.
  private static List<AccessToken> tokens(WorkerOptions options) {
    Optional<Path> file = options.path(TOKEN_FILE);
    if (file.isEmpty()) {
      return List.of();
    }
    try {
      return AccessToken.parse(Files.readString(file.get()));
    } catch (IOException e) {
      throw new UsageException(TOKEN_FILE.option() + " cannot be read: " + e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "%s: %s: %s".formatted(TOKEN_FILE.option(), file.get(), e.getMessage()));
    }
  }

  /// Returns how predictions are batched.
  public static Batching batching(WorkerOptions options) {
    return new Batching(options.whole(BATCH), Duration.ofMillis(options.whole(DELAY)));
  }
}
