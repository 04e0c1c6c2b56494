// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The options of a gateway. Immutable; each `with` method returns a changed copy.
///
/// @param host address to listen on
/// @param port port to listen on; 0 for any free port
/// @param tls certificate and key, or null for plaintext connections
/// @param tokens the tokens of which callers must send one; empty to accept all callers
/// @param limits limits for callers
public record GatewayOptions(
    String host, int port, @Nullable Tls tls, List<AccessToken> tokens, Limits limits) {
  /// Copies the list.
  public GatewayOptions {
    tokens = List.copyOf(tokens);
  }

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
    return new GatewayOptions("127.0.0.1", port, null, List.of(), Limits.STANDARD);
  }

  /// Returns a copy with TLS.
  public GatewayOptions with(Tls other) {
    return new GatewayOptions(host, port, other, tokens, limits);
  }

  /// Returns a copy that serves only callers who send one of these tokens.
  public GatewayOptions withTokens(AccessToken... others) {
    return new GatewayOptions(host, port, tls, List.of(others), limits);
  }

  /// Returns a copy that serves only callers who send this token, which permits everything.
  public GatewayOptions withToken(String secret) {
    return withTokens(new AccessToken(secret, Set.of(Right.values())));
  }

  /// Returns a copy with other limits.
  public GatewayOptions within(Limits other) {
    return new GatewayOptions(host, port, tls, tokens, other);
  }

  /// Returns a copy with another host.
  public GatewayOptions on(String other) {
    return new GatewayOptions(other, port, tls, tokens, limits);
  }

  /// Omits the tokens, which must not be logged.
  @Override
  public String toString() {
    return "%s:%d, %s, %d tokens, %s".formatted(host, port, tls, tokens.size(), limits);
  }
}
