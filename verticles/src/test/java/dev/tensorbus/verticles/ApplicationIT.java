// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands.Running;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application of two workers, outside of our build, in each way in which Java starts one.
@Tag("long")
class ApplicationIT {
  private static final Path SOURCES = Path.of("src", "test", "resources", "application");
  private static final String MAIN = "example.Application";

  /// The dependencies of an application that trains: our modules, and the libraries that these
  /// bring.
  private static final Pattern LIBRARY =
      Pattern.compile(
          "(tensorbus-(autograd|rpc|models|optim)|vertx-core|vertx-core-logging|vertx-hazelcast|hazelcast|"
              + "netty|netty-[a-z0-9-]+|jackson-core|fory-core|microraft|slf4j-api|jspecify)"
              + "-\\d.*\\.jar");

  /// The JVM prints it for each module that it resolves; only jlink could tell it not to.
  private static final String INCUBATOR = "WARNING: Using incubator modules: jdk.incubator.vector";

  /// The warnings that flags would silence: the JVM's, and Hazelcast's of packages that it may not
  /// reach.
  private static final Pattern AT_START =
      Pattern.compile("^WARNING: (Using|Unknown|A |package|Hazelcast is starting)");

  /// The JVM prints it once, of Netty or another library.
  private static final String UNSAFE =
      "WARNING: A terminally deprecated method in sun.misc.Unsafe has been called";

  private static final Pattern MANIFEST =
      Pattern.compile("(?m)^(Add-Exports|Add-Opens|Enable-Native-Access): .*\\n(  .*\\n)*");

  private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]*\\.(SF|DSA|RSA)");

  @TempDir private static Path folder;

  private static String libraries;

  @BeforeAll
  static void compile() throws IOException {
    libraries = libraries();
    List<String> arguments =
        new ArrayList<>(List.of("-d", folder.resolve("application").toString(), "-nowarn"));
    arguments.addAll(List.of("--module-path", libraries));
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
    }
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(code).isZero();
  }

  private static String libraries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(file -> LIBRARY.matcher(Path.of(file).getFileName().toString()).matches())
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void onTheModulePath() throws Exception {
    String options = "@" + Path.of("..", "config", "module-path.options");
    String path = libraries + File.pathSeparator + folder.resolve("application");
    trains(List.of(java(), options, "-p", path, "-m", "example/" + MAIN), INCUBATOR);
  }

  @Test
  void onTheClassPath() throws Exception {
    String path = libraries + File.pathSeparator + folder.resolve("application");
    trains(new Jvm(Path.of(java()), path).command(MAIN, List.of()), "");
  }

  @Test
  void asAFatJar() throws Exception {
    Path jar = inOneJar(ApplicationIT::concat);
    trains(Stream.concat(flags(), Stream.of("-jar", jar.toString())).toList(), "");
  }

  /// The lines of docs/programs.md. The warning is the one that no manifest turns off.
  @Test
  void asAFatJarWhoseManifestHasTheFlags() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "programs.md"));
    List<String> lines = MANIFEST.matcher(page).results().map(MatchResult::group).toList();
    assertThat(lines).hasSize(3);
    Path jar = inOneJar(ApplicationIT::concat, String.join("", lines));
    trains(List.of(java(), "-jar", jar.toString()), UNSAFE);
  }

  /// A build tool keeps one of several files of a name, unless it is told to merge them.
  @Test
  void aFatJarThatHasLostServicesSaysSo() throws Exception {
    Path jar = inOneJar((former, latter) -> latter);
    List<String> command = Stream.concat(flags(), Stream.of("-jar", jar.toString())).toList();
    String port = Integer.toString(FreePort.find());
    try (Running _ = start(command, "0", port);
        Running trainer = start(command, "1", port)) {
      trainer.await(
          "its [0] is of type dev.tensorbus.optim.Sgd, which no WireTypes service names; list"
              + " Sgd.class in the types() of a class that implements dev.tensorbus.rpc.WireTypes,"
              + " name that class in META-INF/services/dev.tensorbus.rpc.WireTypes, and merge such"
              + " files if jars are merged");
    }
  }

  private static byte[] concat(byte[] former, byte[] latter) {
    return (new String(former, UTF_8) + "\n" + new String(latter, UTF_8)).getBytes(UTF_8);
  }

  private static Path inOneJar(BinaryOperator<byte[]> services) throws IOException {
    return inOneJar(services, "");
  }

  /// Makes one jar of the application and of plain libraries.
  ///
  /// @param services makes one file of two services files of a name
  /// @param manifest its lines beside those of every fat jar
  private static Path inOneJar(BinaryOperator<byte[]> services, String manifest)
      throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    String all = libraries + File.pathSeparator + folder.resolve("application");
    for (String library : all.split(File.pathSeparator)) {
      read(Path.of(library), files, services);
    }
    files.put(
        JarFile.MANIFEST_NAME,
        "Manifest-Version: 1.0\nMain-Class: %s\nMulti-Release: true\n%s"
            .formatted(MAIN, manifest)
            .getBytes(UTF_8));
    Path jar = Files.createTempFile(folder, "fat", ".jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.setLevel(Deflater.BEST_SPEED);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        out.putNextEntry(new ZipEntry(file.getKey()));
        out.write(file.getValue());
      }
    }
    return jar;
  }

  /// The java command with the flags of every JVM of ours.
  private static Stream<String> flags() {
    List<String> command = new Jvm(Path.of(java()), "").command("", List.of());
    return command.subList(0, command.size() - "-cp PATH MAIN".split(" ").length).stream();
  }

  /// Reads the files of a jar or folder. A class path has no modules, a changed jar no signature.
  private static void read(Path library, Map<String, byte[]> files, BinaryOperator<byte[]> services)
      throws IOException {
    boolean isJar = Files.isRegularFile(library);
    try (FileSystem inside = isJar ? FileSystems.newFileSystem(library) : null;
        Stream<Path> all = Files.walk(isJar ? inside.getPath("/") : library)) {
      Path root = isJar ? inside.getPath("/") : library;
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = root.relativize(file).toString();
        if (!name.endsWith("module-info.class") && !SIGNATURE.matcher(name).matches()) {
          files.merge(
              name,
              Files.readAllBytes(file),
              name.startsWith("META-INF/services/") ? services : (former, latter) -> former);
        }
      }
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /// Two workers of this command call each other and make a step; none of them warns of anything
  /// but `known`.
  private static void trains(List<String> command, String known) throws Exception {
    String port = Integer.toString(FreePort.find());
    try (Running owner = start(command, "0", port);
        Running trainer = start(command, "1", port)) {
      assertThat(trainer.end()).as(trainer.output()).isZero();
      assertThat(owner.end()).as(owner.output()).isZero();
      assertThat(trainer.output())
          .contains("trained Tensor[3][0.0, 0.0, 0.0]")
          .doesNotContain("plain loops");
      for (Running worker : List.of(owner, trainer)) {
        assertThat(worker.output().lines().filter(line -> AT_START.matcher(line).find()))
            .allMatch(line -> line.equals(known));
      }
    }
  }

  private static Running start(List<String> command, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(arguments));
    return new Running(new ProcessBuilder(all).redirectErrorStream(true).start());
  }
}
