// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import static org.assertj.core.api.Assertions.assertThat;

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
            + " -XX:+UseParallelGC: programs are slower and the JVM warns; start them by"
            + " tensorbus, which adds the flags");
  }

  @Test
  void cores() {
    ok(
        new CoresCheck(4, 4, OptionalDouble.empty()),
        "4: each worker computes on all of them, or on --threads N");
    ok(
        new CoresCheck(2, 64, OptionalDouble.of(1.5)),
        "2 of this machine's 64 (the cgroup allows the time of 1.5): each worker computes on all"
            + " of them, or on --threads N");
    weak(
        new CoresCheck(1, 2, OptionalDouble.empty()),
        "1 of this machine's 2: the workers of a world take turns on it; give this process more"
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
        new KernelsCheck(512, 2),
        "vectors of 512 bits on 2 threads: networks compute at full speed");
    weak(
        new KernelsCheck(0, 2),
        "plain loops, up to 160 times slower than vectors; start programs by tensorbus, or add"
            + " --add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
  }

  @Test
  void memory() {
    ok(
        new MemoryCheck(1536 * MIB, 6144 * MIB, true),
        "a heap of 1.5 GiB for each worker, of 6.0 GiB: tensors live there");
    weak(
        new MemoryCheck(1536 * MIB, 6144 * MIB, false),
        "a heap of 1.5 GiB for each worker, of 6.0 GiB: fresh tensors take longer without huge"
            + " pages; write madvise into /sys/kernel/mm/transparent_hugepage/enabled");
    weak(
        new MemoryCheck(256 * MIB, 1024 * MIB, true),
        "a heap of 256 MiB for each worker, of 1.0 GiB: for small models; give more memory, or"
            + " -Xmx in JDK_JAVA_OPTIONS");
    bad(
        new MemoryCheck(16 * MIB, 64 * MIB, true),
        "a heap of 16 MiB for each worker, of 64 MiB: no worker fits; give more memory, or -Xmx"
            + " in JDK_JAVA_OPTIONS");
  }

  @Test
  void sharedMemory() {
    ok(
        new SharedMemoryCheck(OptionalLong.of(1024 * MIB)),
        "1.0 GiB in /dev/shm is free: large tensors go through it to other workers here");
    weak(
        new SharedMemoryCheck(OptionalLong.of(64 * MIB)),
        "64 MiB in /dev/shm is free, too little for three workers: large tensors go through"
            + " temporary files; remove files there, or start the container with --shm-size=1g");
    weak(
        new SharedMemoryCheck(OptionalLong.empty()),
        "no /dev/shm that can be written: large tensors go through temporary files or connections");
  }

  @Test
  void nativeAccess() {
    ok(new NativeAccessCheck(true), "allowed: vectors load whole cache lines");
    weak(
        new NativeAccessCheck(false),
        "denied: vectors load parts of cache lines, and the JVM warns; start programs by"
            + " tensorbus, or add --enable-native-access=ALL-UNNAMED");
  }

  @Test
  void transport() {
    ok(new TransportCheck("epoll", null), "epoll: calls between processes take the least time");
    ok(new TransportCheck("nio", null), "nio: calls work; Linux has a faster way, epoll");
    weak(
        new TransportCheck("nio", new UnsatisfiedLinkError("no such library")),
        "nio: calls take half as long again, because epoll does not load (no such library); add"
            + " Netty's library for this processor to the class path");
  }

  @Test
  void address() {
    ok(
        new AddressCheck(List.of("10.0.0.1 (eth0)", "10.1.0.1 (eth1)"), null),
        "10.0.0.1 (eth0), 10.1.0.1 (eth1): --master-addr of workers on several machines");
    weak(
        new AddressCheck(List.of(), null),
        "127.0.0.1 alone: a whole world runs here; connect this machine for workers on others");
    bad(
        new AddressCheck(List.of(), "Cannot assign requested address"),
        "no worker can listen on this machine's own address (Cannot assign requested address),"
            + " where those that start here meet; bring the loopback interface up");
  }

  @Test
  void port() {
    ok(
        new PortCheck(29_500, true),
        "29500 is free: rank 0 can listen there for workers on other machines");
    weak(
        new PortCheck(29_500, false),
        "29500 is taken: a world that starts here takes another; with --rank, give every worker"
            + " another --master-port");
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
    ok(new OnnxCheck(null), "computes on the CPU: good for --forward onnx");
    weak(new OnnxCheck("ONNX Runtime is not there"), "ONNX Runtime is not there");
  }

  @Test
  void gpu() {
    ok(new GpuCheck(List.of(), null), "none of NVIDIA's: everything runs on the CPU");
    ok(
        new GpuCheck(List.of("NVIDIA A", "NVIDIA B"), null),
        "NVIDIA A, NVIDIA B: good for --num-gpus, forward passes by ONNX Runtime");
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
    assertThat(GpuCheck.read(driver.resolve("none"))).containsExactly("a GPU of NVIDIA's");
  }
}
