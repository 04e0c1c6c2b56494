// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import org.jspecify.annotations.Nullable;

/// The event bus addresses and shared names that Tensorbus uses.
public final class BusAddresses {
  /// The name of the cluster-wide map of the world's members.
  public static final String MEMBERS = "tensorbus.members";

  private static final String WORKER = "tensorbus.worker.";
  private static final String STATUS = "tensorbus.status.";

  private BusAddresses() {}

  /// Returns the address at which an incarnation of a worker receives messages.
  public static String worker(String name, long incarnation) {
    return WORKER + name + "." + Long.toHexString(incarnation);
  }

  /// Returns the address at which an incarnation of a worker answers status requests.
  public static String status(String name, long incarnation) {
    return STATUS + name + "." + Long.toHexString(incarnation);
  }

  /// Returns the name of the worker that receives messages at an address, or null if no worker
  /// does.
  public static @Nullable String workerAt(String address) {
    return address.startsWith(WORKER)
        ? address.substring(WORKER.length(), address.lastIndexOf('.'))
        : null;
  }
}
