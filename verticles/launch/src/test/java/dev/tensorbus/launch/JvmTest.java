// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmTest {
  @TempDir private Path folder;

  /// The JVM's own flags, as it takes them where the environment names none.
  private static String flag(String name) throws IOException {
    List<String> flags = List.of("-XX:+UseParallelGC", "-XX:+PrintFlagsFinal");
    ProcessBuilder java =
        new ProcessBuilder(Jvm.current().command(flags, "-version", List.of()))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Jvm.VARIABLES.forEach(java.environment()::remove);
    Process process = java.start();
    try (Stream<String> lines = process.inputReader().lines()) {
      return lines
          .map(line -> line.trim().split("\\s+"))
          .filter(words -> words.length > 3 && words[1].equals(name))
          .findFirst()
          .orElseThrow()[3];
    }
  }

  @Test
  void aModulePathIsAPartOfTheClassPath() throws IOException {
    Path module = Files.createDirectory(folder.resolve("module"));
    Files.createFile(module.resolve("module-info.class"));
    Path jars = Files.createDirectory(folder.resolve("jars"));
    String modules = String.join(File.pathSeparator, module.toString(), jars.toString(), "a.jar");
    assertThat(Jvm.classPath("classes", modules))
        .isEqualTo(
            String.join(
                File.pathSeparator,
                "classes",
                module.toString(),
                jars + File.separator + "*",
                "a.jar"));
    assertThat(Jvm.classPath("", "a.jar")).isEqualTo("a.jar");
    assertThat(Jvm.classPath("classes", "")).isEqualTo("classes");
  }

  @Test
  void flagsThatAJvmLacksAreFound() {
    String flag = "-XX:+UseParallelGC";
    Map<String, String> none = Map.of();
    assertThat(Jvm.missingFrom(List.of(), none)).containsAll(Jvm.FLAGS).contains(flag);
    assertThat(Jvm.missingFrom(List.of(flag, "-Xmx1g"), none)).doesNotContain(flag).isNotEmpty();
    Map<String, String> chosen = Map.of("JDK_JAVA_OPTIONS", "-XX:+UseZGC");
    assertThat(Jvm.missingFrom(List.of(), chosen)).containsAll(Jvm.FLAGS).doesNotContain(flag);
  }

  @Test
  void theEnvironmentMayChooseTheCollector() {
    String ours = "-XX:+UseParallelGC";
    assertThat(Jvm.flags(Map.of("JDK_JAVA_OPTIONS", "-Xmx1g"))).contains(ours);
    for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")) {
      assertThat(Jvm.flags(Map.of(variable, "-Xmx1g -XX:+UseZGC"))).doesNotContain(ours);
    }
  }

  @Test
  void theYoungGenerationIsAThirdOfAnEighthOfTheMemoryAndStaysSo() throws IOException {
    long most = Long.parseLong(flag("MaxHeapSize")); // a quarter of the memory
    assertThat(Long.parseLong(flag("NewSize"))).isBetween(most / 7, most / 5);
    assertThat(flag("UseAdaptiveSizePolicy")).isEqualTo("false");
    assertThat(flag("SurvivorRatio")).isEqualTo("1");
  }
}
