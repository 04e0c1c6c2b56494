// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs a jar as users do, in processes of its own.
class JarLauncherTest {
  private static final Duration SOON = Duration.ofMinutes(1);

  @TempDir static Path folder;
  private static Path jar = Path.of("");

  @BeforeAll
  static void packProgram() throws IOException {
    jar = folder.resolve("program.jar");
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, JarLauncher.class.getName());
    attributes.putValue("Tensorbus-Main", FakeProgram.class.getName());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Class<?> type : classes()) {
        String name = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        try (InputStream in = JarLauncherTest.class.getResourceAsStream("/" + name)) {
          in.transferTo(out);
        }
      }
    }
  }

  private static List<Class<?>> classes() {
    return Stream.<Class<?>>of(
            JarLauncher.class,
            ClassArchive.class,
            Jdk.class,
            JdkSearch.class,
            NoJdkException.class,
            Jvm.class,
            ParentWatch.class,
            FakeProgram.class)
        .toList();
  }

  @Test
  void theProgramGetsTheArgumentsAndItsExitCodeIsTheLaunchers() throws Exception {
    Process launcher = launch("exit", "7");
    assertThat(launcher.inputReader().lines()).containsExactly("[exit, 7]");
    assertThat(launcher.waitFor()).isEqualTo(7);
  }

  @Test
  void nothingIsSaidBesideWhatTheProgramSays() throws Exception {
    Process launcher = launch("exit", "0");
    assertThat(launcher.errorReader().lines()).containsExactly("a line on standard error");
    assertThat(launcher.waitFor()).isZero();
  }

  @Test
  void aRequestToEndReachesTheProgramAndItsLastWordsTheUser() throws Exception {
    Process launcher = launch("wait");
    BufferedReader output = launcher.inputReader();
    assertThat(output.readLine()).isEqualTo("[wait]");
    launcher.toHandle().destroy();
    assertThat(output.lines()).containsExactly("last words");
    assertThat(launcher.waitFor()).isNotZero();
  }

  @Test
  void aProgramThatEndsWellWhenItIsToldToEndsTheLauncherWell() throws Exception {
    Process launcher = launch("end well");
    BufferedReader output = launcher.inputReader();
    assertThat(output.readLine()).isEqualTo("[end well]");
    launcher.toHandle().destroy();
    assertThat(launcher.waitFor()).isZero();
  }

  @Test
  void theProgramEndsSoonAfterItsLauncherWasKilled() throws Exception {
    Process launcher = launch("wait");
    BufferedReader output = launcher.inputReader();
    assertThat(output.readLine()).isEqualTo("[wait]");
    launcher.toHandle().destroyForcibly();
    long killed = System.nanoTime();
    // Both hold the pipe: it ends when both are gone.
    assertThat(output.readLine()).isNull();
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SOON);
  }

  private static Process launch(String... arguments) throws IOException {
    List<String> command =
        Stream.concat(
                Stream.of(Jvm.current().java().toString(), "-jar", jar.toString()),
                Stream.of(arguments))
            .toList();
    return new ProcessBuilder(command).start();
  }

  /// Says what it was given, then exits as told or never.
  static final class FakeProgram {
    private FakeProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
      ParentWatch.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(arguments[0])));
      System.err.println("a line on standard error");
      System.out.println(List.of(arguments));
      if (arguments[0].equals("exit")) {
        Runtime.getRuntime().halt(Integer.parseInt(arguments[1]));
      }
      Thread.currentThread().join(120_000);
    }

    private static void end(String how) {
      System.out.println("last words");
      if (how.equals("end well")) {
        Runtime.getRuntime().halt(0);
      }
    }
  }
}
