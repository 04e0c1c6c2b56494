// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;

/// Rank 0 of a benchmark: answers calls until the other worker is done.
final class IdleWorker extends RpcWorker {
  IdleWorker(WorkerOptions options, Progress progress) {
    super(options);
  }

  @Override
  protected int firstRank() {
    return 0;
  }

  @Override
  protected void serve(Rpc rpc) {}

  @Override
  protected void work(Rpc rpc) {}
}
