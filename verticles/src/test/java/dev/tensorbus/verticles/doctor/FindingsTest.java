// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.KernelVectors;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each check's words, on machines that are made up.
class FindingsTest {
  private static final long MIB = 1 << 20;

  private static void ok(Check check, String text) {
    assertThat(check.finding()).isEqualTo(Finding.ok(text));
  }

  private static void weak(Check check, String text) {
    assertThat(check.finding()).isEqualTo(Finding.weak(text));
  }

  private static void bad(Check check, String text) {
    assertThat(check.finding()).isEqualTo(Finding.bad(text));
  }

  @Test
  void java() {
    ok(
        new JavaCheck("25.0.3", "Eclipse Adoptium", "/jdk", List.of()),
        "25.0.3 of Eclipse Adoptium in /jdk, with the launcher's flags: runs every program");
    weak(
        new JavaCheck("25.0.3", "Eclipse Adoptium", "/jdk", List.of("-XX:+UseParallelGC", "-Xa")),
        "25.0.3 of Eclipse Adoptium in /jdk, without 2 of the launcher's flags, such as"
            + " -XX:+UseParallelGC: programs are slower and the JVM prints warnings; start"
            + " them with tensorbus, which adds the flags");
  }

  @Test
  void cores() {
    ok(
        new CoresCheck(4, 4, OptionalDouble.empty()),
        "4: each worker uses all of them, or --threads N");
    ok(
        new CoresCheck(2, 64, OptionalDouble.of(1.5)),
        "2 of this machine's 64 (the cgroup allows CPU time for 1.5): each worker uses all of"
            + " them, or --threads N");
    weak(
        new CoresCheck(1, 2, OptionalDouble.empty()),
        "1 of this machine's 2: the workers of a world share it; give this process more"
            + " cores");
  }

  @Test
  void theCgroupsLimitIsTimeForEachPeriod() {
    assertThat(CoresCheck.parse("150000 100000")).hasValue(1.5);
    assertThat(CoresCheck.parse("max 100000")).isEmpty();
    assertThat(CoresCheck.parse("")).isEmpty();
  }

  @Test
  void kernels() {
    ok(
        new KernelsCheck(new KernelVectors(512, 32, 8, 32, 75), 2),
        "512-bit vectors on 2 threads: tiles of 8 x 32 in 32 registers, products at 75 % of"
            + " peak");
    ok(
        new KernelsCheck(new KernelVectors(256, 16, 4, 16, 80), 2),
        "256-bit vectors on 2 threads: tiles of 4 x 16 in 16 registers, products at 80 % of"
            + " peak");
    weak(
        new KernelsCheck(new KernelVectors(0, 0, 0, 0, 0), 2),
        "plain loops, up to 160 times slower than vectors; start programs with tensorbus, or add"
            + " --add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
  }

  @Test
  void memory() {
    ok(
        new MemoryCheck(1536 * MIB, 6144 * MIB, true),
        "a heap of 1.5 GiB per worker, out of 6.0 GiB of memory: tensors are stored on the heap");
    weak(
        new MemoryCheck(1536 * MIB, 6144 * MIB, false),
        "a heap of 1.5 GiB per worker, out of 6.0 GiB of memory: allocating tensors is slower"
            + " without huge pages; write madvise into"
            + " /sys/kernel/mm/transparent_hugepage/enabled");
    weak(
        new MemoryCheck(256 * MIB, 1024 * MIB, true),
        "a heap of 256 MiB per worker, out of 1.0 GiB of memory: enough for small models only; add"
            + " memory, or set -Xmx in JDK_JAVA_OPTIONS");
    bad(
        new MemoryCheck(16 * MIB, 64 * MIB, true),
        "a heap of 16 MiB per worker, out of 64 MiB of memory: too small for any worker; add"
            + " memory, or set -Xmx in JDK_JAVA_OPTIONS");
  }

  @Test
  void sharedMemory() {
    ok(
        new SharedMemoryCheck(OptionalLong.of(1024 * MIB)),
        "1.0 GiB in /dev/shm is free: carries large tensors between the workers of this machine");
    weak(
        new SharedMemoryCheck(OptionalLong.of(64 * MIB)),
        "64 MiB in /dev/shm is free, too little for three workers: large tensors go through"
            + " temporary files; delete files there, or start the container with --shm-size=1g");
    weak(
        new SharedMemoryCheck(OptionalLong.empty()),
        "/dev/shm is missing or not writable: large tensors go through temporary files or"
            + " connections");
  }

  @Test
  void nativeAccess() {
    ok(new NativeAccessCheck(true), "allowed: vector loads are aligned with cache lines");
    weak(
        new NativeAccessCheck(false),
        "denied: vector loads cross cache lines, and the JVM prints warnings; start programs with"
            + " tensorbus, or add --enable-native-access=ALL-UNNAMED");
  }

  @Test
  void transport() {
    ok(new TransportCheck("epoll", null), "epoll: the fastest transport between processes");
    ok(new TransportCheck("nio", null), "nio: calls work; on Linux, epoll would be faster");
    weak(
        new TransportCheck("nio", new UnsatisfiedLinkError("no such library")),
        "nio: calls take 50 % longer, because epoll does not load (no such library); add"
            + " Netty's native library for this platform to the class path");
  }

  @Test
  void address() {
    ok(
        new AddressCheck(List.of("10.0.0.1 (eth0)", "10.1.0.1 (eth1)"), null),
        "10.0.0.1 (eth0), 10.1.0.1 (eth1): for --master-addr, if workers run on several machines");
    weak(
        new AddressCheck(List.of(), null),
        "only 127.0.0.1: local worlds work; workers on other machines need a network");
    bad(
        new AddressCheck(List.of(), "Cannot assign requested address"),
        "workers cannot listen on the loopback address (Cannot assign requested address), on which"
            + " local worlds communicate; bring the loopback interface up");
  }

  @Test
  void port() {
    ok(
        new PortCheck(29_500, true),
        "29500 is free: rank 0 can listen on it for workers on other machines");
    weak(
        new PortCheck(29_500, false),
        "29500 is in use: a local world uses another port; with --rank, set another"
            + " --master-port on every worker");
  }

  @Test
  void aPortOnWhichSomeoneListensIsTaken() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      int port = socket.getLocalPort();
      assertThat(PortCheck.of(port)).isEqualTo(new PortCheck(port, false));
    }
  }

  @Test
  void onnxRuntime() {
    ok(new OnnxCheck(null), "works on the CPU: for --device cpu, --forward onnx");
    weak(new OnnxCheck("ONNX Runtime is not there"), "ONNX Runtime is not there");
  }

  @Test
  void gpu() {
    ok(new GpuCheck(List.of(), null), "no NVIDIA GPU: everything runs on the CPU");
    ok(
        new GpuCheck(List.of("NVIDIA A", "NVIDIA B"), null),
        "NVIDIA A, NVIDIA B: for --device and --num-gpus, with ONNX Runtime");
    weak(
        new GpuCheck(List.of("NVIDIA A"), "cuda:0: ONNX Runtime cannot use it"),
        "NVIDIA A, not used: cuda:0: ONNX Runtime cannot use it");
  }

  @Test
  void theDriverNamesItsGpus(@TempDir Path driver) throws IOException {
    Path first = Files.createDirectory(driver.resolve("0000:01:00.0"));
    Files.writeString(first.resolve("information"), "Model: \t\t NVIDIA A\nIRQ:   \t\t 82\n");
    assertThat(GpuCheck.read(driver)).containsExactly("NVIDIA A");
  }

  @Test
  void aGpuWhoseDriverIsHiddenHasNoName(@TempDir Path driver) {
    assertThat(GpuCheck.read(driver.resolve("none"))).containsExactly("an NVIDIA GPU");
  }
}
