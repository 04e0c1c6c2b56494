// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.WireException;
import java.util.Arrays;

/// The attachments of a message: each consists of an id, a length, and bytes that only its writer
/// and reader can interpret.
public final class Attached {
  /// No attachments.
  public static final Attached NONE = new Attached(new byte[0]);

  private final byte[] bytes;

  private Attached(byte[] bytes) {
    this.bytes = bytes;
  }

  /// Handles one attachment of a message.
  @FunctionalInterface
  public interface Reader {
    /// Handles an attachment.
    ///
    /// @param in reads the bytes of this attachment only
    void read(int id, Input in);
  }

  /// Returns the attachments written with [Output#beginPart] and [Output#endPart].
  public static Attached of(Output parts) {
    byte[] bytes = parts.toBytes();
    return bytes.length == 0 ? NONE : new Attached(bytes);
  }

  /// Passes each attachment to `reader`, which may leave bytes unread.
  ///
  /// @throws WireException if a length exceeds the remaining bytes
  public void forEach(Reader reader) {
    Input in = new Input(new Frame(bytes));
    while (in.hasRemaining()) {
      int id = in.getByte() & 0xff;
      reader.read(id, in.getPart());
    }
  }

  /// Returns whether there are no attachments.
  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /// Writes all attachments, preceded by their total length.
  public void write(Output out) {
    out.putBytes(bytes);
  }

  /// Reads attachments that [#write] wrote.
  public static Attached read(Input in) {
    byte[] bytes = in.getBytes();
    return bytes.length == 0 ? NONE : new Attached(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attached that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
