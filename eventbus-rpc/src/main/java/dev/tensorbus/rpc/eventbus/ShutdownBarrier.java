// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.A1;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds out when no worker of the world has anything left to do, so that all may leave.
///
/// A worker that waits for no answer reports to the lowest rank that lives, with the number of
/// calls that it ever sent. When all living workers have reported, and the sum is the same as in
/// the wave before, nobody called anybody in between, and all may leave; otherwise there is
/// another wave (Mattern, "Algorithms for distributed termination detection", 1987, the
/// four-counter method with calls for messages).
final class ShutdownBarrier {
  private final EventBusRpc rpc;
  private final Map<String, Report> wave = new TreeMap<>();
  private long lastSum = -1;
  private long reportsSent;

  ShutdownBarrier(EventBusRpc rpc) {
    this.rpc = rpc;
  }

  private record Report(long sent, Promise<Boolean> mayLeave) {}

  /// Waits for the end of all work. Blocks.
  void await() {
    boolean mayLeave = false;
    while (!mayLeave) {
      VirtualThreads.await(rpc.pending().none());
      mayLeave = report();
    }
  }

  private boolean report() {
    long sent = rpc.pending().sent() - reportsSent;
    reportsSent++;
    String coordinator = rpc.workers().getFirst().name();
    Call<Boolean> report = Call.of((A1<Long, Boolean>) ShutdownBarrier::arrive, sent);
    try {
      return rpc.call(coordinator, report.withoutTimeout());
    } catch (NoSuchWorkerException e) {
      return false; // the next lowest rank takes over
    }
  }

  /// Takes a worker's report; answers whether it may leave.
  @Remote
  static Future<Boolean> arrive(Long sent) {
    CallContext call = CallContext.current();
    return call.rpc().barrier().arrive(call.caller().name(), sent);
  }

  private synchronized Future<Boolean> arrive(String worker, long sent) {
    Report report = new Report(sent, Promise.promise());
    wave.put(worker, report);
    endWaveIfComplete();
    return report.mayLeave().future();
  }

  /// The wave does not wait for a worker that has left.
  synchronized void workerLost(String worker) {
    wave.remove(worker);
    endWaveIfComplete();
  }

  private void endWaveIfComplete() {
    boolean complete =
        !wave.isEmpty()
            && rpc.workers().stream().allMatch(worker -> wave.containsKey(worker.name()));
    if (!complete) {
      return;
    }
    long sum = wave.values().stream().mapToLong(Report::sent).sum();
    boolean quiet = sum == lastSum;
    lastSum = sum;
    List<Report> reports = List.copyOf(wave.values());
    wave.clear();
    reports.forEach(report -> report.mayLeave().complete(quiet));
  }
}
