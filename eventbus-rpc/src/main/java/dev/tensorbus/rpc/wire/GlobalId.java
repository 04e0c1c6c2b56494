// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// Names a reference, a fork of one, or an autograd message in the whole world.
///
/// @param worker the id of the worker that made the name
/// @param number counts on that worker
public record GlobalId(int worker, long number) {
  static final int BYTES = Integer.BYTES + Long.BYTES;

  void write(Output out) {
    out.putInt(worker);
    out.putLong(number);
  }

  static GlobalId read(Input in) {
    return new GlobalId(in.getInt(), in.getLong());
  }

  @Override
  public String toString() {
    return worker + "/" + number;
  }
}
