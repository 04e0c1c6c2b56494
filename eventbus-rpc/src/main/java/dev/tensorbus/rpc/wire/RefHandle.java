// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// A fork of a reference in transit to another worker. The sender keeps the parent fork until the
/// receiver has confirmed this fork.
///
/// @param id the reference
/// @param fork this fork
/// @param owner the worker that holds the object
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
