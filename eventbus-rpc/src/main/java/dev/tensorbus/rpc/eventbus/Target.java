// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.wire.GlobalId;
import org.jspecify.annotations.Nullable;

/// Whom a call is for.
///
/// @param worker the worker's name
/// @param receiver the object there, or null if the arguments say it all
/// @param reference the reference that points at the object; it stays alive until the answer
record Target(String worker, @Nullable GlobalId receiver, @Nullable Object reference) {
  static Target worker(String name) {
    return new Target(name, null, null);
  }
}
