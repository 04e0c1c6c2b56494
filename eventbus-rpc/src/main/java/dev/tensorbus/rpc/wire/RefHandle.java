// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// A fork of a reference, on its way to another worker. Its sender keeps the fork that it was made
/// from until the receiver has taken it.
///
/// @param id the reference
/// @param fork names this fork
/// @param owner who holds the object
public record RefHandle(GlobalId id, GlobalId fork, Sender owner) {
  public void write(Output out) {
    id.write(out);
    fork.write(out);
    owner.write(out);
  }

  public static RefHandle read(Input in) {
    return new RefHandle(GlobalId.read(in), GlobalId.read(in), Sender.read(in));
  }
}
