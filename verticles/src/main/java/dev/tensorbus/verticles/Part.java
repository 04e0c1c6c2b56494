// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.function.BiFunction;

/// How a program plays a role.
///
/// @param role the role
/// @param verticle makes the verticle of a worker that plays it
public record Part(Role role, BiFunction<WorkerOptions, Progress, Worker> verticle) {}
