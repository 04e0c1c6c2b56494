// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// Identifies a fork of a reference: one worker's right to use the reference.
///
/// @param id the reference
/// @param fork the fork
public record ForkId(GlobalId id, GlobalId fork) {
  public void write(Output out) {
    id.write(out);
    fork.write(out);
  }

  public static ForkId read(Input in) {
    return new ForkId(GlobalId.read(in), GlobalId.read(in));
  }
}
