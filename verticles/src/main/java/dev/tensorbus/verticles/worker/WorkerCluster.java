// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;

/// Creates the [Cluster] of a worker from its options.
public final class WorkerCluster {
  private WorkerCluster() {}

  /// Returns the cluster of a worker.
  ///
  /// @param isFirst whether the worker has rank 0
  public static Cluster of(boolean isFirst, WorkerOptions options) {
    return new Cluster(
            options.masterAddr(), options.masterPort(), isFirst, options.rendezvousTimeout())
        .withHeartbeatTimeout(options.heartbeatTimeout())
        .withPorts(options.ports())
        .withAdvertisedAddress(options.advertisedAddr().orElse(null))
        .withTls(options.path(Setting.TLS).orElse(null))
        .withTrustedNetwork(options.isOn(Setting.TRUSTED_NETWORK));
  }
}
