// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.WorkerOptions;

/// Where the world of a worker meets.
final class WorkerCluster {
  private WorkerCluster() {}

  static Cluster of(Role role, WorkerOptions options) {
    return new Cluster(
        options.masterAddr(),
        options.masterPort(),
        role.isFirst(),
        options.timeout(),
        options.heartbeatTimeout());
  }
}
