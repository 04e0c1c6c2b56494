// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.WorkerOptions;

/// The place where the workers of a world meet.
public final class WorkerCluster {
  private WorkerCluster() {}

  /// The cluster of a worker that plays this role with these options.
  public static Cluster of(Role role, WorkerOptions options) {
    return new Cluster(
            options.masterAddr(), options.masterPort(), role.isFirst(), options.rendezvousTimeout())
        .withHeartbeatTimeout(options.heartbeatTimeout())
        .withPorts(options.ports())
        .withAdvertisedAddress(options.advertisedAddr().orElse(null));
  }
}
