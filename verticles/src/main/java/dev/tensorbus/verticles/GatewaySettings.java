// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Tls;
import dev.tensorbus.optim.server.Batching;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The settings of a worker's gRPC gateway.
public final class GatewaySettings {
  /// Whether there is one, and where.
  public static final Setting PORT =
      new Setting(
          "grpc-port",
          "P",
          new SettingType.Whole(0, 65_535),
          null,
          "port for gRPC, of rank 0 where all run here; without it, none");

  private static final Setting HOST =
      new Setting(
          "grpc-host",
          "HOST",
          new SettingType.Word("a host name or address"),
          "127.0.0.1",
          "address to listen at for gRPC");

  private static final Setting CERT =
      new Setting(
          "grpc-cert",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "PEM certificate for gRPC with TLS");

  private static final Setting KEY =
      new Setting(
          "grpc-key", "FILE", new SettingType.ExistingFile(), null, "PEM key of --grpc-cert");

  private static final Setting TOKEN_FILE =
      new Setting(
          "grpc-token-file",
          "FILE",
          new SettingType.ExistingFile(),
          null,
          "file with the token that gRPC callers must show");

  private static final Setting RATE =
      new Setting(
          "grpc-rate",
          "N",
          new SettingType.Whole(0, 1_000_000),
          Limits.STANDARD.callsPerSecond(),
          "gRPC calls a second from one host; 0 for no limit");

  private static final Setting CALLS =
      new Setting(
          "grpc-calls",
          "N",
          new SettingType.Whole(1, 1_000_000),
          Limits.STANDARD.calls(),
          "gRPC calls at once");

  private static final Setting MAX_MESSAGE =
      new Setting(
          "grpc-max-message",
          "BYTES",
          new SettingType.Whole(1 << 10, 1 << 30),
          Limits.STANDARD.messageBytes(),
          "largest gRPC message");

  private static final Setting MAX_TENSORS =
      new Setting(
          "grpc-max-tensors",
          "BYTES",
          new SettingType.Whole(1 << 10, 1L << 40),
          Limits.STANDARD.tensorBytes(),
          "largest sum of the tensors of one gRPC call");

  private static final Setting MEMORY =
      new Setting(
          "grpc-memory",
          "BYTES",
          new SettingType.Whole(0, 1L << 40),
          0,
          "memory for what has come of all gRPC calls; 0 for half of the heap");

  private static final Setting IDLE =
      new Setting(
          "grpc-idle",
          "SECONDS",
          new SettingType.Whole(1, 86_400),
          Limits.STANDARD.idle().toSeconds(),
          "longest wait for a gRPC caller to send or to read");

  /// Those of every worker.
  static final List<Setting> ALL =
      List.of(
          PORT, HOST, CERT, KEY, TOKEN_FILE, RATE, CALLS, MAX_MESSAGE, MAX_TENSORS, MEMORY, IDLE);

  /// How many trainers come through the gateway of a worker that serves a model.
  public static final Setting TRAINERS =
      new Setting(
          "grpc-trainers",
          "N",
          new SettingType.Whole(0, 1024),
          0,
          "trainers that come through gRPC; the run ends when these have, too");

  /// How many examples of several callers are predicted together.
  public static final Setting BATCH =
      new Setting(
          "grpc-batch",
          "N",
          new SettingType.Whole(1, 65_536),
          256,
          "examples in a gRPC prediction");

  /// How long the first of them waits.
  public static final Setting DELAY =
      new Setting(
          "grpc-delay",
          "MILLIS",
          new SettingType.Whole(0, 60_000),
          2,
          "longest wait of a gRPC prediction for others");

  /// Whether a push of NaN is dropped.
  public static final Setting SKIP_NONFINITE =
      new Setting(
          "grpc-skip-nonfinite",
          "",
          new SettingType.Flag(),
          false,
          "drop and count pushes with NaN or infinite gradients, which are refused otherwise");

  private GatewaySettings() {}

  /// Whether the worker has a gateway.
  public static boolean isOn(WorkerOptions options) {
    return options.optionalInt(PORT).isPresent();
  }

  /// How the worker opens its gateway; empty if it has none.
  ///
  /// @throws UsageException if only one of certificate and key is given, or there is no token in
  ///     its file
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
    return new GatewayOptions(host, port, tls(options), token(options), limits);
  }

  private static @Nullable Tls tls(WorkerOptions options) {
    Optional<Path> certificate = options.path(CERT);
    Optional<Path> key = options.path(KEY);
    if (certificate.isPresent() != key.isPresent()) {
      throw new UsageException(
          "%s is given without %s; TLS needs both"
              .formatted(
                  (certificate.isPresent() ? CERT : KEY).option(),
                  (certificate.isPresent() ? KEY : CERT).option()));
    }
    return certificate.isPresent() ? new Tls(certificate.get(), key.orElseThrow()) : null;
  }

  /// In a file, since a command line is for all to see.
  private static @Nullable String token(WorkerOptions options) {
    Optional<Path> file = options.path(TOKEN_FILE);
    if (file.isEmpty()) {
      return null;
    }
    try {
      String token = Files.readString(file.get()).strip();
      if (token.isEmpty()) {
        throw new UsageException(TOKEN_FILE.option() + ": " + file.get() + " is empty");
      }
      return token;
    } catch (IOException e) {
      throw new UsageException(TOKEN_FILE.option() + " cannot be read: " + e);
    }
  }

  /// How predictions are batched.
  public static Batching batching(WorkerOptions options) {
    return new Batching(options.whole(BATCH), Duration.ofMillis(options.whole(DELAY)));
  }
}
