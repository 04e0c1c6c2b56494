// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// Names a reference or a fork of one in the whole world.
///
/// @param worker the id of the worker that made the name
/// @param life differs between two lives of one rank
/// @param number counts in that life
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
