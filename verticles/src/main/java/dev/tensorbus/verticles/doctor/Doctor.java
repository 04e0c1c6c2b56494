// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.verticles.doctor.Finding.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// Runs checks one after another, each with a timeout, so that a driver or a network file system
/// that hangs does not block the rest.
///
/// @param probes the checks to run
/// @param patience the timeout of each check
public record Doctor(List<Probe> probes, Duration patience) {
  /// Long enough to load ONNX Runtime and a GPU driver from a slow disk, which takes seconds.
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /// A check to run.
  ///
  /// @param subject its name in the report
  /// @param look collects the facts
  public record Probe(String subject, Supplier<Check> look) {}

  /// Returns a doctor with all checks of this machine and this JVM.
  public static Doctor here() {
    return new Doctor(
        List.of(
            new Probe("java", JavaCheck::here),
            new Probe("cores", CoresCheck::here),
            new Probe("kernels", KernelsCheck::here),
            new Probe("memory", MemoryCheck::here),
            new Probe("shared memory", SharedMemoryCheck::here),
            new Probe("native access", NativeAccessCheck::here),
            new Probe("transport", TransportCheck::here),
            new Probe("address", AddressCheck::here),
            new Probe("port", PortCheck::here),
            new Probe("onnx runtime", OnnxCheck::here),
            new Probe("gpu", GpuCheck::here)),
        PATIENCE);
  }

  /// Runs all checks, reports each finding with its subject, and returns the worst verdict.
  public Verdict examine(BiConsumer<String, Finding> tell) throws InterruptedException {
    Verdict worst = Verdict.OK;
    for (Probe probe : probes) {
      Finding finding = finding(probe);
      tell.accept(probe.subject(), finding);
      worst = finding.verdict().compareTo(worst) > 0 ? finding.verdict() : worst;
    }
    return worst;
  }

  /// Runs one check. If the check fails or times out, the verdict is [Verdict#WEAK], because
  /// training may still work.
  private Finding finding(Probe probe) throws InterruptedException {
    try {
      return CompletableFuture.supplyAsync(
              () -> probe.look().get().finding(),
              look -> Threads.system().startPlatform("doctor", look))
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Finding.weak("unknown: the check timed out");
    } catch (ExecutionException e) {
      return Finding.weak("unknown: " + e.getCause());
    }
  }
}
