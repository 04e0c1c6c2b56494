// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// The globally unique id of a reference or of a fork.
///
/// @param worker the id of the worker that created this id
/// @param life differs between two incarnations of the worker
/// @param number counts the ids that this incarnation has created
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
