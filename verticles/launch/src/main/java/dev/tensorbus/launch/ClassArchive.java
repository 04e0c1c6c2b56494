// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;

/// The archive for class data sharing (CDS) of a fat jar, which halves the startup time of its
/// programs. The first program that is started from a jar creates it, beside the jar. A jar also
/// works without its archive: in a folder that cannot be written to, or after a failure.
final class ClassArchive {
  private static final int PATIENCE_SECONDS = 60;

  private final Jvm jvm;
  private final Path jar;
  private final String program;
  private final Path archive;

  /// Output of the run that creates the archive, if that run failed. Locked during the run.
  private final Path log;

  /// @param program the class whose `main` loads the classes to be archived. A jar without this
  ///     class has no archive
  ClassArchive(Path java, Path jar, String program) {
    this.jvm = new Jvm(java, jar.toString());
    this.jar = jar;
    this.program = program;
    this.archive = jvm.archive();
    this.log = archive.resolveSibling(archive.getFileName() + ".log");
  }

  /// Creates the archive if there is none for this jar. Waits until it is there, but not if another
  /// process is creating it. Does not try again after a failure.
  void createIfMissing() throws InterruptedException {
    try {
      if (isNewerThanJar(archive) || hasFailed() || !hasProgram()) {
        return;
      }
      try (FileChannel file =
              FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = file.tryLock()) {
        if (lock != null && isNewerThanJar(archive)) {
          Files.delete(log); // another process has created the archive meanwhile
        } else if (lock != null) {
          create();
        }
      }
    } catch (IOException e) {
      // The folder cannot be written to.
    }
  }

  private boolean hasFailed() throws IOException {
    return isNewerThanJar(log) && Files.size(log) > 0;
  }

  private boolean hasProgram() throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getEntry(program.replace('.', '/') + ".class") != null;
    }
  }

  private boolean isNewerThanJar(Path file) throws IOException {
    return Files.exists(file)
        && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(jar)) >= 0;
  }

  private void create() throws IOException, InterruptedException {
    System.err.println("preparing " + jar.getFileName() + ", once, so that it starts faster");
    Files.deleteIfExists(archive);
    Path part = archive.resolveSibling(archive.getFileName() + ".part");
    List<String> flags = List.of("-XX:ArchiveClassesAtExit=" + part);
    Process run =
        new ProcessBuilder(jvm.command(flags, program, List.of()))
            .redirectErrorStream(true)
            .start();
    boolean ended = run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    run.toHandle().destroyForcibly(); // Process.destroyForcibly would also close its output
    byte[] output = run.getInputStream().readAllBytes();
    if (ended && run.exitValue() == 0 && Files.exists(part)) {
      Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE);
      Files.delete(log);
    } else {
      Files.deleteIfExists(part);
      Files.writeString(log, ended ? "" : "no end in " + PATIENCE_SECONDS + " seconds\n");
      Files.write(log, output, StandardOpenOption.APPEND);
      System.err.println("note: this failed; programs run, but start more slowly; see " + log);
    }
  }
}
