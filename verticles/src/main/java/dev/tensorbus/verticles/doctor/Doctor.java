// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.verticles.doctor.Finding.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// Looks at one thing after the other, at each for a limited time: a driver or a network file
/// system that hangs must not hold up the rest.
///
/// @param probes the things to look at
/// @param patience how long to wait for each
public record Doctor(List<Probe> probes, Duration patience) {
  /// Loading ONNX Runtime and a GPU's driver takes seconds on a slow disk.
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /// Something to look at.
  ///
  /// @param subject its name for the user
  /// @param look finds out how it is
  public record Probe(String subject, Supplier<Check> look) {}

  /// The one for this machine and this JVM.
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

  /// Tells each finding with its subject, and returns the worst verdict.
  public Verdict examine(BiConsumer<String, Finding> tell) throws InterruptedException {
    Verdict worst = Verdict.OK;
    for (Probe probe : probes) {
      Finding finding = finding(probe);
      tell.accept(probe.subject(), finding);
      worst = finding.verdict().compareTo(worst) > 0 ? finding.verdict() : worst;
    }
    return worst;
  }

  /// A check that fails or hangs says nothing about a training.
  private Finding finding(Probe probe) throws InterruptedException {
    try {
      return CompletableFuture.supplyAsync(
              () -> probe.look().get().finding(),
              look -> Thread.ofPlatform().daemon().name("doctor").start(look))
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return Finding.weak("not known: no answer in time");
    } catch (ExecutionException e) {
      return Finding.weak("not known: " + e.getCause());
    }
  }
}
