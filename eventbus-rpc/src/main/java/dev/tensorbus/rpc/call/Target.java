// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import org.jspecify.annotations.Nullable;

/// The worker or the object that a call is for.
///
/// @param worker the worker's name
/// @param life the one life of it that will do, or null for whichever is there
/// @param receiver the object there, or null if the arguments say it all
/// @param result names the place there in which the result stays, and the caller's fork of it; null
///     if the result comes back
/// @param over runs once, when the call has ended or could not be made: what it used may go
public record Target(
    String worker,
    @Nullable Sender life,
    @Nullable GlobalId receiver,
    @Nullable ForkId result,
    Runnable over) {
  /// The worker of this name, in whatever life.
  public static Target worker(String name) {
    return new Target(name, null, null, null, () -> {});
  }

  /// This life of a worker and no other.
  public static Target life(Sender life) {
    return new Target(life.info().name(), life, null, null, () -> {});
  }

  /// Returns a copy with a place in which the result stays.
  public Target keeping(ForkId place) {
    return new Target(worker, life, receiver, place, over);
  }
}
