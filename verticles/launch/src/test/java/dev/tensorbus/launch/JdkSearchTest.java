// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkSearchTest {
  @TempDir Path folder;

  @Test
  void theOneThatTheUserNamesComesFirst() throws Exception {
    Path own = jdk("own", "25.0.1");
    Path chosen = jdk("chosen", "26");
    assertThat(search(Map.of("TENSORBUS_JAVA_HOME", chosen.toString()), own).find().home())
        .isEqualTo(chosen);
  }

  @Test
  void oneThatTheUserNamesMustFit() throws Exception {
    Path own = jdk("own", "25.0.1");
    Path chosen = jdk("chosen", "21.0.2");
    assertThatThrownBy(search(Map.of("TENSORBUS_JAVA_HOME", chosen.toString()), own)::find)
        .hasMessage(
            "TENSORBUS_JAVA_HOME is %s, which is not a JDK 25 or newer with the module"
                + " jdk.incubator.vector; set it to the folder of such a JDK",
            chosen);
  }

  @Test
  void theOwnJvmComesBeforeJavaHome() throws Exception {
    Path own = jdk("own", "26.0.1");
    Path home = jdk("home", "25");
    assertThat(search(Map.of("JAVA_HOME", home.toString()), own).find().home()).isEqualTo(own);
  }

  @Test
  void javaHomeComesBeforeTheShelves() throws Exception {
    Path own = jdk("own", "17.0.15");
    Path home = jdk("home", "26");
    jdk("shelf/jdk-25", "25");
    assertThat(search(Map.of("JAVA_HOME", home.toString()), own).find().home()).isEqualTo(home);
  }

  @Test
  void theOldestThatFitsIsTakenFromTheShelves() throws Exception {
    Path own = jdk("own", "17.0.15");
    jdk("shelf/a", "27-ea");
    Path expected = jdk("shelf/b/Contents/Home", "25.0.3");
    jdk("shelf/c", "1.8.0_402");
    jdk("shelf/d", "26.0.1");
    Files.createDirectories(folder.resolve("shelf/empty"));
    assertThat(search(Map.of("JAVA_HOME", own.toString()), own).find())
        .isEqualTo(new Jdk(expected, 25));
  }

  @Test
  void aRuntimeWithoutTheVectorModuleIsPassedOver() throws Exception {
    Path own = jdk("own", "17.0.15");
    Path small = jdk("shelf/small", "25.0.3");
    Files.writeString(
        small.resolve("release"), "JAVA_VERSION=\"25.0.3\"\nMODULES=\"java.base java.logging\"\n");
    assertThatThrownBy(search(Map.of(), own)::find)
        .hasMessage(
            "Tensorbus needs a JDK 25 or newer and found none (java is %s); install one, or set"
                + " TENSORBUS_JAVA_HOME to its folder",
            own);
  }

  @Test
  void thisMachineHasOneSinceWeRunOnIt() throws Exception {
    assertThat(JdkSearch.onThisMachine().find().feature()).isGreaterThanOrEqualTo(25);
  }

  private JdkSearch search(Map<String, String> environment, Path own) {
    return new JdkSearch(
        environment, own, List.of(folder.resolve("missing"), folder.resolve("shelf")));
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
    return home;
  }
}
