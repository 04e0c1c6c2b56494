// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerInfo;

/// An incarnation of a worker, as the sender of messages and the receiver of their answers.
///
/// @param info the worker's name and rank
/// @param incarnation differs between two incarnations with the same name
public record Sender(WorkerInfo info, long incarnation) {
  /// Returns the event bus address at which the worker receives messages.
  public String address() {
    return BusAddresses.worker(info.name(), incarnation);
  }

  /// Returns the event bus address at which the worker answers status requests.
  public String statusAddress() {
    return BusAddresses.status(info.name(), incarnation);
  }

  public void write(Output out) {
    out.putString(info.name());
    out.putInt(info.id());
    out.putLong(incarnation);
  }

  public static Sender read(Input in) {
    String name = in.getString();
    int id = in.getInt();
    try {
      return new Sender(new WorkerInfo(name, id), in.getLong());
    } catch (IllegalArgumentException e) {
      throw new WireException("sender of a message: " + e.getMessage(), e);
    }
  }
}
