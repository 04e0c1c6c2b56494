// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// The globally unique name of a reference or of a fork of one.
///
/// @param worker the id of the worker that created the name
/// @param life differs between two incarnations of one rank
/// @param number a counter in that incarnation
public record GlobalId(int worker, int life, long number) {
  public void write(Output out) {
    out.putInt(worker);
    out.putInt(life);
    out.putLong(number);
  }

  public static GlobalId read(Input in) {
    return new GlobalId(in.getInt(), in.getInt(), in.getLong());
  }

  @Override
  public String toString() {
    return worker + "/" + number;
  }
}
