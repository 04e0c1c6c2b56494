// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import org.jspecify.annotations.Nullable;

/// The worker or object that a call addresses.
///
/// @param worker the worker's name
/// @param life the only accepted incarnation of the worker, or null for any
/// @param receiver the object on that worker, or null for none
/// @param result the reference in which the result stays, and the caller's fork of it; null if the
///     result is returned
/// @param over runs once, when the call has ended or could not be made, to release resources
public record Target(
    String worker,
    @Nullable Sender life,
    @Nullable GlobalId receiver,
    @Nullable ForkId result,
    Runnable over) {
  /// Returns a target for the worker with this name, in any incarnation.
  public static Target worker(String name) {
    return new Target(name, null, null, null, () -> {});
  }

  /// Returns a target for this incarnation of a worker only.
  public static Target life(Sender life) {
    return new Target(life.info().name(), life, null, null, () -> {});
  }

  /// Returns a target for a call whose result stays on the callee, in the given reference.
  public Target keeping(ForkId place) {
    return new Target(worker, life, receiver, place, over);
  }
}
