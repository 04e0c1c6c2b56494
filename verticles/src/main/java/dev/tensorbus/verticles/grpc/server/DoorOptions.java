// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How a door is opened. Immutable; each `with` returns a changed copy.
///
/// @param host where it listens
/// @param port where it listens; 0 for one that is free
/// @param tls how it proves who it is, or null for connections that anybody can read
/// @param token what callers must show, or null if all may call
/// @param limits what callers may ask for
public record DoorOptions(
    String host, int port, @Nullable Tls tls, @Nullable String token, Limits limits) {
  /// A certificate and its key.
  ///
  /// @param certificate a PEM file
  /// @param key a PEM file
  public record Tls(Path certificate, Path key) {}

  /// What callers may ask for.
  ///
  /// @param messageBytes of one message
  /// @param tensorBytes of all tensors that one call holds at once
  /// @param callsPerSecond of one host; 0 for no limit
  /// @param calls at once
  public record Limits(int messageBytes, long tensorBytes, int callsPerSecond, int calls) {
    /// 4 MiB, as gRPC has it; 256 MiB; as often as wanted; 1024.
    public static final Limits STANDARD = new Limits(4 << 20, 256L << 20, 0, 1024);
  }

  /// A door without TLS or token on loopback.
  public static DoorOptions onLoopback(int port) {
    return new DoorOptions("127.0.0.1", port, null, null, Limits.STANDARD);
  }

  /// The same with TLS.
  public DoorOptions with(Tls other) {
    return new DoorOptions(host, port, other, token, limits);
  }

  /// The same with a token.
  public DoorOptions withToken(String other) {
    return new DoorOptions(host, port, tls, other, limits);
  }

  /// The same within other limits.
  public DoorOptions within(Limits other) {
    return new DoorOptions(host, port, tls, token, other);
  }

  /// The same on another host.
  public DoorOptions on(String other) {
    return new DoorOptions(other, port, tls, token, limits);
  }

  /// Without the token, which is not for logs.
  @Override
  public String toString() {
    return "%s:%d, %s, %s token, %s"
        .formatted(host, port, tls, token == null ? "no" : "with a", limits);
  }
}
