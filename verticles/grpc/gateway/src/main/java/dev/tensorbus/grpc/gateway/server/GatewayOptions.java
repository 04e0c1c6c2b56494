// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The options of a gateway. Immutable; each `with` method returns a changed copy.
///
/// @param host address to listen on
/// @param port port to listen on; 0 for any free port
/// @param tls certificate and key, or null for plaintext connections
/// @param token token that callers must send, or null to accept all callers
/// @param limits limits for callers
public record GatewayOptions(
    String host, int port, @Nullable Tls tls, @Nullable String token, Limits limits) {
  /// A certificate and its key.
  ///
  /// @param certificate a PEM file
  /// @param key a PEM file
  public record Tls(Path certificate, Path key) {}

  /// The limits for callers.
  ///
  /// @param messageBytes maximum size of a message
  /// @param tensorBytes maximum total size of the tensors that a call holds at once
  /// @param callsPerSecond maximum rate of calls per host; 0 for no limit
  /// @param calls maximum number of concurrent calls
  /// @param memoryBytes maximum memory for the received data of all calls
  /// @param idle how long a call waits for its caller to send or read
  public record Limits(
      int messageBytes,
      long tensorBytes,
      int callsPerSecond,
      int calls,
      long memoryBytes,
      Duration idle) {
    /// The defaults: messages of 4 MiB, as in gRPC; tensors of 256 MiB; no rate limit; 1024
    /// concurrent calls; half of the heap for received data; an idle timeout of five minutes.
    public static final Limits STANDARD =
        new Limits(
            4 << 20,
            256L << 20,
            0,
            1024,
            Runtime.getRuntime().maxMemory() / 2,
            Duration.ofMinutes(5));

    /// Returns a copy with other maximum sizes of messages and tensors.
    public Limits withBytes(int ofMessage, long ofTensors) {
      return new Limits(ofMessage, ofTensors, callsPerSecond, calls, memoryBytes, idle);
    }

    /// Returns a copy with other limits on concurrent calls and on their rate.
    public Limits withCalls(int atOnce, int perSecond) {
      return new Limits(messageBytes, tensorBytes, perSecond, atOnce, memoryBytes, idle);
    }

    /// Returns a copy with another memory limit.
    public Limits withMemoryBytes(long bytes) {
      return new Limits(messageBytes, tensorBytes, callsPerSecond, calls, bytes, idle);
    }

    /// Returns a copy with another idle timeout.
    public Limits withIdle(Duration patience) {
      return new Limits(messageBytes, tensorBytes, callsPerSecond, calls, memoryBytes, patience);
    }
  }

  /// Returns options for the loopback address, without TLS or a token.
  public static GatewayOptions onLoopback(int port) {
    return new GatewayOptions("127.0.0.1", port, null, null, Limits.STANDARD);
  }

  /// Returns a copy with TLS.
  public GatewayOptions with(Tls other) {
    return new GatewayOptions(host, port, other, token, limits);
  }

  /// Returns a copy with a token.
  public GatewayOptions withToken(String other) {
    return new GatewayOptions(host, port, tls, other, limits);
  }

  /// Returns a copy with other limits.
  public GatewayOptions within(Limits other) {
    return new GatewayOptions(host, port, tls, token, other);
  }

  /// Returns a copy with another host.
  public GatewayOptions on(String other) {
    return new GatewayOptions(other, port, tls, token, limits);
  }

  /// Omits the token, which must not be logged.
  @Override
  public String toString() {
    return "%s:%d, %s, %s token, %s"
        .formatted(host, port, tls, token == null ? "no" : "with a", limits);
  }
}
