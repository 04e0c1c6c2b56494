// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.WireException;
import java.util.List;

/// An encoded message. It starts with a version byte, a kind byte and a number: the number of a
/// call or, in other kinds of messages, an id or a code.
///
/// @param bytes the message without the tensors in `handedOver`; must not be changed
/// @param handedOver large tensors for a worker on the same Vertx, passed as objects rather than
///     bytes
public record Frame(byte[] bytes, List<WireTensor> handedOver) {
  /// The version of the protocol, the first byte of each message.
  public static final byte VERSION = 12;

  /// The maximum size of a small message, in bytes.
  public static final int MOST_SMALL_BYTES = 32 << 10;

  /// Creates a frame without handed-over tensors.
  public Frame(byte[] bytes) {
    this(bytes, List.of());
  }

  /// The kind of a message, its second byte.
  public enum Kind {
    /// A [dev.tensorbus.rpc.wire.message.Request].
    REQUEST((byte) 1),
    /// A [dev.tensorbus.rpc.wire.message.Response].
    RESPONSE((byte) 2),
    /// A [dev.tensorbus.rpc.wire.message.Cancel].
    CANCEL((byte) 3),
    /// A [dev.tensorbus.rpc.wire.message.Release].
    RELEASE((byte) 4),
    /// A [dev.tensorbus.rpc.wire.message.LaneNote].
    LANE((byte) 5),
    /// A [dev.tensorbus.rpc.wire.message.Bundle].
    BUNDLE((byte) 6),
    /// A [dev.tensorbus.rpc.wire.message.Heartbeat].
    HEARTBEAT((byte) 7),
    /// A [dev.tensorbus.rpc.wire.message.Probe].
    PROBE((byte) 8);

    private final byte code;

    Kind(byte code) {
      this.code = code;
    }

    private static Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new WireException("message of unknown kind " + code, null);
    }
  }

  /// Returns whether the frame is small enough to be decoded on an event loop.
  public boolean isSmall() {
    return bytes.length <= MOST_SMALL_BYTES;
  }

  /// Returns whether the frame may be sent in a [dev.tensorbus.rpc.wire.message.Bundle], which
  /// consists of bytes only.
  public boolean mayBeBundled() {
    return isSmall() && handedOver.isEmpty();
  }

  /// Returns the number of bytes that the frame occupies in memory.
  public long size() {
    return bytes.length + WireTensor.valueBytes(handedOver);
  }

  /// Reads the kind without decoding the rest.
  ///
  /// @throws WireException if the bytes are not a message of this version
  public Kind kind() {
    return open(new Input(this));
  }

  /// Reads the number of the call without decoding the rest.
  public long call() {
    Input in = new Input(this);
    open(in);
    return in.getLong();
  }

  public static void begin(Output out, Kind kind, long call) {
    out.putByte(VERSION);
    out.putByte(kind.code);
    out.putLong(call);
  }

  public static Kind open(Input in) {
    int version = in.getByte();
    if (version != VERSION) {
      throw new WireException(
          "message of protocol version "
              + version
              + "; this worker uses version "
              + VERSION
              + ": start all workers from the same build",
          null);
    }
    return Kind.of(in.getByte());
  }
}
