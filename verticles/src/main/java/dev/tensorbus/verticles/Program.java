// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.function.BiFunction;
import java.util.function.Consumer;

/// A training program: which verticle each role runs.
///
/// @param name what follows `tensorbus train`
/// @param summary what it trains, in one line
/// @param check throws [UsageException] if what the options name is no use, before anything
///     starts
/// @param server makes the parameter server's verticle
/// @param trainer makes a trainer's verticle
public record Program(
    String name,
    String summary,
    Consumer<WorkerOptions> check,
    BiFunction<WorkerOptions, Progress, Worker> server,
    BiFunction<WorkerOptions, Progress, Worker> trainer) {

  /// The verticle of one worker.
  public Worker worker(Role role, WorkerOptions options, Progress progress) {
    return (role == Role.PARAMETER_SERVER ? server : trainer).apply(options, progress);
  }
}
