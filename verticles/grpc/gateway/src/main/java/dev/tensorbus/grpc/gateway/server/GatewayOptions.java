// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a gateway is opened. Immutable; each `with` returns a changed copy.
///
/// @param host where it listens
/// @param port where it listens; 0 for one that is free
/// @param tls how it proves who it is, or null for connections that anybody can read
/// @param token what callers must show, or null if all may call
/// @param limits what callers may ask for
public record GatewayOptions(
    String host, int port, @Nullable Tls tls, @Nullable String token, Limits limits) {
  /// A certificate and its key.
  ///
  /// @param certificate a PEM file
  /// @param key a PEM file
  public record Tls(Path certificate, Path key) {}

  /// The limits of what callers may ask for.
  ///
  /// @param messageBytes of one message
  /// @param tensorBytes of all tensors that one call holds at once
  /// @param callsPerSecond of one host; 0 for no limit
  /// @param calls at once
  /// @param memoryBytes that all calls together hold of what has come for them
  /// @param idle how long a call waits for its caller to send, or to take what is sent
  public record Limits(
      int messageBytes,
      long tensorBytes,
      int callsPerSecond,
      int calls,
      long memoryBytes,
      Duration idle) {
    /// 4 MiB, as gRPC has it; 256 MiB; as often as wanted; 1024; half of the heap; five minutes.
    public static final Limits STANDARD =
        new Limits(
            4 << 20,
            256L << 20,
            0,
            1024,
            Runtime.getRuntime().maxMemory() / 2,
            Duration.ofMinutes(5));

    /// The same for tensors and messages of other sizes.
    public Limits withBytes(int ofMessage, long ofTensors) {
      return new Limits(ofMessage, ofTensors, callsPerSecond, calls, memoryBytes, idle);
    }

    /// The same for other numbers of calls.
    public Limits withCalls(int atOnce, int perSecond) {
      return new Limits(messageBytes, tensorBytes, perSecond, atOnce, memoryBytes, idle);
    }

    /// The same with so much memory for all calls.
    public Limits withMemoryBytes(long bytes) {
      return new Limits(messageBytes, tensorBytes, callsPerSecond, calls, bytes, idle);
    }

    /// The same with other patience.
    public Limits withIdle(Duration patience) {
      return new Limits(messageBytes, tensorBytes, callsPerSecond, calls, memoryBytes, patience);
    }
  }

  /// A gateway without TLS or token on loopback.
  public static GatewayOptions onLoopback(int port) {
    return new GatewayOptions("127.0.0.1", port, null, null, Limits.STANDARD);
  }

  /// The same with TLS.
  public GatewayOptions with(Tls other) {
    return new GatewayOptions(host, port, other, token, limits);
  }

  /// The same with a token.
  public GatewayOptions withToken(String other) {
    return new GatewayOptions(host, port, tls, other, limits);
  }

  /// The same within other limits.
  public GatewayOptions within(Limits other) {
    return new GatewayOptions(host, port, tls, token, other);
  }

  /// The same on another host.
  public GatewayOptions on(String other) {
    return new GatewayOptions(other, port, tls, token, limits);
  }

  /// Without the token, which is not for logs.
  @Override
  public String toString() {
    return "%s:%d, %s, %s token, %s"
        .formatted(host, port, tls, token == null ? "no" : "with a", limits);
  }
}
