// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
  @TempDir private Path folder;
  private Path jar;

  @BeforeEach
  void packProgram() throws IOException {
    jar = folder.resolve("program.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Class<?> type : new Class<?>[] {Loads.class, Fails.class}) {
        String name = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        try (InputStream in = ClassArchiveTest.class.getResourceAsStream("/" + name)) {
          in.transferTo(out);
        }
      }
    }
  }

  private void create(String program) throws InterruptedException {
    new ClassArchive(Jvm.current().java(), jar, program).createIfMissing();
  }

  private String files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(file -> file.getFileName().toString())
          .sorted()
          .collect(Collectors.joining(" "));
    }
  }

  @Test
  void aProgramStartsFromTheArchiveThatWasCreatedOnce() throws Exception {
    create(Loads.class.getName());
    assertThat(files()).isEqualTo("program.jar program.jsa");
    FileTime first = Files.getLastModifiedTime(folder.resolve("program.jsa"));
    create(Loads.class.getName());
    assertThat(Files.getLastModifiedTime(folder.resolve("program.jsa"))).isEqualTo(first);
    Jvm jvm = new Jvm(Jvm.current().java(), jar.toString());
    Process run =
        new ProcessBuilder(
                jvm.command(List.of("-Xlog:class+load:stdout"), Loads.class.getName(), List.of()))
            .start();
    assertThat(run.inputReader().lines())
        .anyMatch(line -> line.contains(Loads.class.getName()) && line.contains("shared objects"));
  }

  @Test
  void aNewJarGetsANewArchive() throws Exception {
    create(Loads.class.getName());
    Path archive = folder.resolve("program.jsa");
    FileTime old = FileTime.fromMillis(Files.getLastModifiedTime(jar).toMillis() - 1000);
    Files.setLastModifiedTime(archive, old);
    create(Loads.class.getName());
    assertThat(Files.getLastModifiedTime(archive)).isGreaterThan(old);
  }

  @Test
  void aFailureIsKeptInALogAndNotRepeated() throws Exception {
    create(Fails.class.getName());
    assertThat(files()).isEqualTo("program.jar program.jsa.log");
    assertThat(folder.resolve("program.jsa.log")).hasContent("this fails");
    create(Loads.class.getName());
    assertThat(files()).isEqualTo("program.jar program.jsa.log");
  }

  @Test
  void aJarWithoutTheProgramHasNoArchive() throws Exception {
    create("my.Main");
    assertThat(files()).isEqualTo("program.jar");
  }

  /// Loads a class of the jar.
  static final class Loads {
    private Loads() {}

    public static void main(String[] arguments) {
      System.exit(0);
    }
  }

  static final class Fails {
    private Fails() {}

    public static void main(String[] arguments) {
      System.out.println("this fails");
      System.exit(1);
    }
  }
}
