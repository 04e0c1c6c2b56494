// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Progress;
import java.util.function.BiFunction;

/// Binds a role to the verticle that implements it in a program.
///
/// @param role the role
/// @param verticle creates the verticle of a worker with this role
public record RoleBinding(Role role, BiFunction<WorkerOptions, Progress, RpcWorker> verticle) {
  /// Creates a worker with this role, ready to deploy. Attaches a gateway if the options enable it.
  public RpcWorker worker(WorkerOptions options, Progress progress) {
    RpcWorker worker = verticle.apply(options, progress);
    GatewaySettings.of(options).map(GatewayExtension::new).ifPresent(worker::attach);
    return worker;
  }
}
