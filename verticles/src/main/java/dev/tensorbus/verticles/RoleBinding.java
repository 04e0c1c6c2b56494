// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.function.BiFunction;

/// How a program plays a role.
///
/// @param role the role
/// @param verticle makes the verticle of a worker that plays it
public record RoleBinding(Role role, BiFunction<WorkerOptions, Progress, RpcWorker> verticle) {
  /// A worker of this role, with the extensions that its options ask for; ready to be deployed.
  public RpcWorker worker(WorkerOptions options, Progress progress) {
    RpcWorker worker = verticle.apply(options, progress);
    GatewaySettings.of(options).map(GatewayExtension::new).ifPresent(worker::attach);
    return worker;
  }
}
