// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.Commands.Running;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A program of a user's, outside of our build, in the command line.
@Tag("long")
class ProgramProviderIT {
  private static final Path SOURCES = Path.of("src", "test", "resources", "program");
  private static final String SERVICE = "META-INF/services/" + ProgramProvider.class.getName();

  /// What only tests need; some of it cannot be on a module path together.
  private static final Pattern OF_TESTS =
      Pattern.compile(
          "test-classes|.*-tests\\.jar|(junit|assertj|archunit|grpc-|vertx-junit|opentest|"
              + "apiguardian|kotlin|scala|perfmark|gson|annotations-api|animal-sniffer|byte-buddy).*");

  @TempDir private static Path folder;

  private static Path classes;
  private static String modulePath;

  @BeforeAll
  static void compile() throws IOException {
    classes = folder.resolve("classes");
    modulePath =
        Stream.concat(Stream.of(codegen().toString()), libraries())
            .collect(Collectors.joining(File.pathSeparator));
    try (Stream<Path> files = Files.walk(SOURCES)) {
      Stream<String> sources = files.map(Path::toString).filter(name -> name.endsWith(".java"));
      compile(Stream.concat(Stream.of("-nowarn", "-p", modulePath), sources), classes);
    }
    Path service = classes.resolve(SERVICE);
    Files.createDirectories(service.getParent());
    Files.copy(SOURCES.resolve(SERVICE), service);
  }

  private static void compile(Stream<String> arguments, Path out) {
    List<String> all = Stream.concat(arguments, Stream.of("-d", out.toString())).toList();
    int code =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, all.toArray(String[]::new));
    assertThat(code).isZero();
  }

  /// vertx-grpc-server requires this module and does not bring it: it has annotations only.
  private static Path codegen() throws IOException {
    Path source = Files.createDirectory(folder.resolve("codegen")).resolve("module-info.java");
    Files.writeString(source, "module io.vertx.codegen.api {}");
    Path out = folder.resolve("codegen-classes");
    compile(Stream.of(source.toString()), out);
    return out;
  }

  private static Stream<String> libraries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(file -> !OF_TESTS.matcher(Path.of(file).getFileName().toString()).matches());
  }

  private static String output(ProcessBuilder builder) throws Exception {
    try (Running command = new Running(builder.redirectErrorStream(true).start())) {
      assertThat(command.end()).as(command.output()).isZero();
      return command.output();
    }
  }

  private static void knowsGreeting(List<String> command) throws Exception {
    List<String> train = Stream.concat(command.stream(), Stream.of("train", "--help")).toList();
    assertThat(output(new ProcessBuilder(train)))
        .containsPattern("mnist +Trains")
        .containsPattern("greeting +Trains nothing, but greets");
    List<String> help =
        Stream.concat(command.stream(), Stream.of("train", "greeting", "--help")).toList();
    assertThat(output(new ProcessBuilder(help)))
        .containsPattern("--word=WORD +how to greet \\(default: hello\\)")
        .contains("--world-size=");
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static List<String> onTheModulePath() {
    String path = modulePath + File.pathSeparator + classes;
    return List.of(
        java(), "-p", path, "-m", "dev.tensorbus.verticles/dev.tensorbus.verticles.command.Main");
  }

  @Test
  void theCommandLineKnowsItOnTheModulePath() throws Exception {
    knowsGreeting(onTheModulePath());
  }

  @Test
  void soDoesItOnTheClassPath() throws Exception {
    String path = System.getProperty("java.class.path") + File.pathSeparator + classes;
    knowsGreeting(List.of(java(), "-cp", path, "dev.tensorbus.verticles.command.Main"));
  }

  @Test
  void aWorldThatStartsOnTheModulePathRunsIt() throws Exception {
    Stream<String> train = Stream.of("train", "greeting", "--word", "hi");
    greets(new ProcessBuilder(Stream.concat(onTheModulePath().stream(), train).toList()));
  }

  @Test
  void theJarRunsItFromAFolderThatIsNamed() throws Exception {
    ProcessBuilder train =
        new ProcessBuilder(
            java(), "-jar", "target/tensorbus.jar", "train", "greeting", "--word", "hi");
    train.environment().put("TENSORBUS_CLASS_PATH", classes.toString());
    greets(train);
  }

  private static void greets(ProcessBuilder train) throws Exception {
    assertThat(output(train))
        .contains("trainer1 says hi to parameter-server", "trainer2 says hi to parameter-server");
  }
}
