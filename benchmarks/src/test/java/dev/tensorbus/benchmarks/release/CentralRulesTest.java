// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether the checker sees a release that Central would refuse.
class CentralRulesTest {
  private static final String PARENT =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>a</groupId><artifactId>parent</artifactId><version>1</version>
        <packaging>pom</packaging>
        <name>Parent</name><description>Of all</description><url>https://a</url>
        <licenses><license><name>L</name><url>https://l</url></license></licenses>
        <developers><developer><name>D</name></developer></developers>
        <scm><url>https://s</url><connection>scm:git:https://s</connection></scm>
      </project>
      """;

  private static final String CHILD =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <parent><groupId>a</groupId><artifactId>parent</artifactId><version>1</version></parent>
        <artifactId>child</artifactId>
        <name>Child</name>
      </project>
      """;

  @TempDir private Path folder;

  @Test
  void aRuleThatIsBrokenIsNamed() throws Exception {
    write("a/parent/1/parent-1.pom", PARENT);
    write("a/parent/1/parent-1.pom.md5", "0");
    write("a/child/1/child-1.pom", CHILD);
    write("a/child/1/child-1.jar", "");
    write("a/child/1/child-1.jar.md5", "d41d8cd98f00b204e9800998ecf8427e");
    write("a/child/1/child-1.jar.sha1", "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    assertThat(CentralRules.brokenIn(new Staging(folder)))
        .containsExactlyInAnyOrder(
            "child has no description",
            "child has no -sources.jar",
            "child has no -javadoc.jar",
            "a/child/1/child-1.pom.md5",
            "a/child/1/child-1.pom.sha1",
            "a/parent/1/parent-1.pom.md5",
            "a/parent/1/parent-1.pom.sha1");
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
