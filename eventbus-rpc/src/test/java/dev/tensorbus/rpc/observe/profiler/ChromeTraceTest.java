// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Profiled;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.testing.ChromeTraceFile;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A Chrome trace has a process for each worker, and arrows that join events.
@Isolated // a recording has all that its process does
class ChromeTraceTest {
  @TempDir private Path folder;

  private final MemoryWorld world = new MemoryWorld(3);
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void everyArrowBeginsAndEndsInAnEventOfItsTrack() throws IOException {
    ChromeTraceFile trace = trace();
    trace.requireValid();
    assertThat(trace.arrows("call")).isGreaterThanOrEqualTo(2);
    assertThat(trace.arrows("gradients")).isGreaterThanOrEqualTo(2);
  }

  @Test
  void itHasTheCallsAndTheRemoteOperations() throws IOException {
    ChromeTraceFile trace = trace();
    assertThat(trace.names())
        .contains(
            "rpcSync#Profiled.nested(worker0 -> worker1)",
            "rpcSync#Profiled.add(worker1 -> worker2)",
            "add",
            "DistContext.backward");
    assertThat(trace.processes())
        .contains("worker0 (rank 0)", "worker1 (rank 1)", "worker2 (rank 2)");
  }

  @Test
  void aWorkerThatDidNothingHasAnEmptyProcess() throws IOException {
    Path file = folder.resolve("idle.json");
    try (Profiler profiler = Profiler.start(rpc)) {
      rpc.rpcSync("worker1", Profiled::add, Tensor.of(1), Tensor.of(2));
      profiler.stop().exportChromeTrace(file);
    }
    ChromeTraceFile trace = ChromeTraceFile.read(file);
    trace.requireValid();
    assertThat(trace.processes())
        .containsExactlyInAnyOrder("worker0 (rank 0)", "worker1 (rank 1)", "worker2 (rank 2)");
  }

  @Test
  void nothingOverlapsOnATrackUnlessItIsWithin() throws IOException {
    assertThat(trace().overlaps()).isZero();
  }

  private ChromeTraceFile trace() throws IOException {
    Tensor weight = Tensor.of(1, 2, 3);
    weight.requiresGrad(true);
    Tensor other = Tensor.of(4, 5, 6);
    Path file = folder.resolve("trace.json");
    try (Profiler profiler = Profiler.start(rpc)) {
      try (var context = DistAutograd.context(rpc)) {
        context.backward(rpc.rpcSync("worker1", Profiled::nested, "worker2", weight, other).sum());
      }
      rpc.waitAll(
          Stream.generate(() -> rpc.rpcAsync("worker1", Profiled::add, weight.detach(), other))
              .limit(8)
              .toList());
      profiler.stop().exportChromeTrace(file);
    }
    return ChromeTraceFile.read(file);
  }
}
