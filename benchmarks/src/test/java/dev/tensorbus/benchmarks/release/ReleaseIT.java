// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Makes a release twice, as docs/releasing.md says, and begins a project with it as README says.
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ReleaseIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// Where a build notes what Maven resolves for a module.
  private static final String LIST = "target/runtime-dependencies.txt";

  /// The smallest module.
  private static final String COMPARED = "verticles/launch";

  @TempDir private static Path folder;

  private static String snapshot;
  private static String version;
  private static Maven maven;
  private static Path sources;
  private static Staging staging;
  private static Staging again;

  @BeforeAll
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  static void buildTwice() throws Exception {
    maven = Maven.in(Files.createDirectory(folder.resolve("one")));
    assumeTrue(
        maven.typed(folder, "mvn -q archetype:help").isGood(),
        "no Maven here, or neither a network nor a copy of maven-archetype-plugin");
    snapshot = Pom.read(ROOT.resolve("config/bom/pom.xml")).version();
    version = snapshot.replace("-SNAPSHOT", "");
    sources = folder.resolve("one/sources");
    Sources.copy(ROOT, sources, snapshot, version);
    Path others = folder.resolve("another/folder/of/sources");
    Sources.copy(ROOT, others, snapshot, version);
    staging = release(maven, sources);
    Maven another = Maven.in(folder.resolve("another"));
    again = release(another, others);
    another.unlink();
  }

  /// JUnit's own end of the folder warns of each link.
  @AfterAll
  static void unlink() throws IOException {
    maven.unlink();
  }

  private static Staging release(Maven maven, Path sources) throws Exception {
    Maven.Outcome built =
        maven.build(
            sources,
            "-q",
            "-Prelease",
            "-DskipTests",
            "-Dspotless.check.skip",
            "deploy",
            "dependency:list",
            "-DincludeScope=runtime",
            "-DoutputFile=" + LIST);
    assertThat(built.isGood()).as(built.output()).isTrue();
    return new Staging(sources.resolve("target/staging"));
  }

  @Test
  void twoBuildsAreEqualToTheByte() {
    Map<String, byte[]> files = staging.files();
    Map<String, byte[]> others = again.files();
    assertThat(others.keySet()).isEqualTo(files.keySet());
    assertThat(files.keySet())
        .filteredOn(name -> !Arrays.equals(files.get(name), others.get(name)))
        .isEmpty();
  }

  @Test
  void theArtifactsAreThoseOfTheBomAndTheirParents() {
    Pom bom = Pom.read(ROOT.resolve("config/bom/pom.xml"));
    Set<String> artifacts =
        new TreeSet<>(bom.all("dependencyManagement/dependencies/dependency/artifactId"));
    artifacts.addAll(
        Set.of("tensorbus", "tensorbus-bom", "tensorbus-archetype", "tensorbus-service-archetype"));
    assertThat(staging.poms().stream().map(Pom::artifactId))
        .containsExactlyInAnyOrderElementsOf(artifacts);
  }

  @Test
  void centralTakesThem() throws Exception {
    assertThat(CentralRules.brokenIn(staging)).isEmpty();
  }

  @Test
  void anSbomListsWhatAUserGets() throws IOException {
    Map<String, Path> modules = modules();
    for (Pom pom : staging.poms().stream().filter(Pom::hasJar).toList()) {
      Path list = modules.get(pom.artifactId()).resolve(LIST);
      String sbom = pom.file().toString().replaceFirst("\\.pom$", "-cyclonedx.json");
      assertThat(Dependencies.ofSbom(Path.of(sbom)))
          .as(pom.artifactId())
          .isNotEmpty()
          .isEqualTo(Dependencies.ofList(list));
    }
  }

  /// The folders of modules by their artifacts.
  private static Map<String, Path> modules() {
    return Pom.read(sources.resolve("pom.xml")).all("modules/module").stream()
        .map(sources::resolve)
        .collect(
            Collectors.toMap(
                module -> Pom.read(module.resolve("pom.xml")).artifactId(), module -> module));
  }

  @Test
  void aProjectOfTheArchetypeLearnsOverThreeJvms() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("elsewhere"));
    Maven.Outcome project = maven.typed(empty, commandsOf("README.md"));
    assertThat(project.isGood()).as(project.output()).isTrue();
    assertThat(project.output())
        .contains("[worker1] epoch 3  accuracy 0.9", "[worker2] epoch 3  accuracy 0.9");
    assertThat(empty.resolve("demo/src/main/java/my/Main.java")).content().contains("package my;");
    Maven.Outcome tests = maven.typed(empty.resolve("demo"), "mvn test");
    assertThat(tests.isGood()).as(tests.output()).isTrue();
    assertThat(tests.output()).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
  }

  @Test
  void aProjectOfTheServiceArchetypePassesItsTests() throws Exception {
    Path empty = Files.createDirectory(folder.resolve("services"));
    String commands = commandsOf("docs/tasks/service.md").replace(snapshot, version);
    Maven.Outcome project = maven.typed(empty, commands);
    assertThat(project.isGood()).as(project.output()).isTrue();
    Maven.Outcome tests = maven.typed(empty.resolve("digits"), "mvn test");
    assertThat(tests.isGood()).as(tests.output()).isTrue();
    assertThat(tests.output()).contains("Tests run: 3, Failures: 0, Errors: 0, Skipped: 0");
  }

  /// `ExamplesIT` runs them, compiled without Maven.
  @Test
  void theExamplesCompileByTheirOwnPoms() throws Exception {
    Maven.Outcome compiled = maven.typed(sources.resolve("examples"), "mvn -q compile");
    assertThat(compiled.isGood()).as(compiled.output()).isTrue();
    assertThat(sources.resolve("examples/service/target/classes/service/Service.class")).exists();
    assertThat(sources.resolve("examples/kotlin/target/classes/LineKt.class")).exists();
  }

  private static String commandsOf(String page) throws IOException {
    String text = Files.readString(sources.resolve(page));
    Matcher block = Pattern.compile("(?:(?m)^ {4}.+\\n)+").matcher(text);
    return block
        .results()
        .map(lines -> lines.group())
        .filter(lines -> lines.contains("archetype:generate"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aMethodThatIsGoneFromTheApiFails() throws Exception {
    Path next = folder.resolve("one/next");
    Sources.copy(ROOT, next, snapshot, version + "-next");
    Maven.Outcome same = comparison(next);
    assertThat(same.isGood()).as(same.output()).isTrue();
    Path file = next.resolve(COMPARED + "/src/main/java/dev/tensorbus/launch/Jvm.java");
    String source = Files.readString(file);
    Files.writeString(file, source.replace("public static Jvm current()", "static Jvm current()"));
    Maven.Outcome changed = comparison(next);
    assertThat(changed.isGood()).isFalse();
    assertThat(changed.output()).contains("dev.tensorbus.launch.Jvm.current()");
  }

  private static Maven.Outcome comparison(Path next) throws Exception {
    return maven.build(
        next,
        "-q",
        "-DskipTests",
        "-Dspotless.check.skip",
        "-Dapi.baseline=" + version,
        "-pl",
        COMPARED,
        "verify");
  }
}
