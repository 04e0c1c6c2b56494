// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;

/// The main class of every fat jar. Runs the program named in the jar's manifest in a JVM that is
/// recent enough and has the required flags, so that `java -jar` works with any `java`.
public final class JarLauncher {
  private static final String PROGRAM = "Tensorbus-Main";

  private static final String ARCHIVED_PROGRAM = "dev.tensorbus.verticles.worker.ClassArchiveRun";

  /// The environment variable with the class path of a user's own classes, such as a `Program`.
  private static final String CLASS_PATH = "TENSORBUS_CLASS_PATH";

  private static final long PATIENCE_SECONDS = 4;

  private JarLauncher() {}

  /// Runs the program and exits with its exit code.
  public static void main(String[] arguments) throws Exception {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments)
      throws IOException, InterruptedException, URISyntaxException {
    Jdk jdk;
    try {
      jdk = JdkSearch.onThisMachine().find();
    } catch (NoJdkException e) {
      System.err.println("error: " + e.getMessage());
      return 1;
    }
    Path jar = ownJar();
    new ClassArchive(jdk.java(), jar, ARCHIVED_PROGRAM).createIfMissing();
    Jvm jvm = new Jvm(jdk.java(), classPath(jar));
    ProcessBuilder program = new ProcessBuilder(command(jvm, jar, arguments)).inheritIO();
    // Disable ONNX Runtime's telemetry unless the user enables it (docs/onnx.md).
    program.environment().putIfAbsent("ORT_DISABLE_TELEMETRY", "1");
    Process child = program.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(child)));
    return child.waitFor();
  }

  /// Returns the program's class path. It starts with the jar, because the JVM uses a class data
  /// archive only if the class path starts with the archived jar.
  private static String classPath(Path jar) {
    String more = System.getenv().getOrDefault(CLASS_PATH, "");
    return more.isEmpty() ? jar.toString() : jar + File.pathSeparator + more;
  }

  private static Path ownJar() throws URISyntaxException {
    return Path.of(JarLauncher.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /// Returns the command that runs the program. The manifest contains a class and, optionally, its
  /// first arguments.
  private static List<String> command(Jvm jvm, Path jar, List<String> arguments)
      throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      String[] program = file.getManifest().getMainAttributes().getValue(PROGRAM).split(" ", -1);
      List<String> all = new ArrayList<>(Arrays.asList(program).subList(1, program.length));
      all.addAll(arguments);
      return jvm.command(program[0], all);
    }
  }

  /// Forwards termination to the program, and kills it if it does not exit in time. If the program
  /// ends with code 0 nevertheless, so does this JVM. Uses the process handle, because
  /// `Process.destroy` would also close the program's streams and lose its last output.
  private static void end(Process child) {
    child.toHandle().destroy();
    try {
      if (!child.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        child.destroyForcibly();
      } else if (child.exitValue() == 0) {
        Runtime.getRuntime().halt(0);
      }
    } catch (InterruptedException e) {
      child.destroyForcibly();
    }
  }
}
