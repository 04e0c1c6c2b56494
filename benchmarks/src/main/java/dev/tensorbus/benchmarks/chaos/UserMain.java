// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import java.time.Duration;
import java.util.List;

/// A user's class for `tensorbus run`. Its workers run collectives in a loop, so that each worker
/// depends on all others at all times.
final class UserMain {
  /// Part of the line that a worker prints when its work is done.
  static final String FINISH = "all have met";

  private static final Duration WORK = Duration.ofSeconds(15);

  private UserMain() {}

  /// Runs a worker.
  ///
  /// @param arguments the heartbeat timeout in seconds
  public static void main(String[] arguments) {
    Duration heartbeatTimeout = Duration.ofSeconds(Long.parseLong(arguments[0]));
    RpcOptions options = RpcOptions.fromEnvironment().withHeartbeatTimeout(heartbeatTimeout);
    Rpc.run("worker" + options.rank(), options, UserMain::work);
  }

  private static void work(Rpc rpc) {
    List<String> names = rpc.workers().stream().map(WorkerInfo::name).toList();
    System.out.printf("the world of %d %s%n", names.size(), ChaosWorld.COMPLETE);
    long end = System.nanoTime() + WORK.toNanos();
    long rounds = 1;
    while (!rpc.allGather(names, System.nanoTime() - end > 0).containsValue(true)) {
      rounds++;
    }
    System.out.printf("%s %d times%n", FINISH, rounds);
  }
}
