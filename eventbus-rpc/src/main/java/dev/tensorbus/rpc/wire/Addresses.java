// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

/// The event bus addresses and shared names that Tensorbus uses.
public final class Addresses {
  /// The cluster-wide map of who is in the world.
  public static final String MEMBERS = "tensorbus.members";

  private Addresses() {}

  /// Where one life of a worker takes its messages.
  public static String worker(String name, long incarnation) {
    return "tensorbus.worker." + name + "." + Long.toHexString(incarnation);
  }
}
