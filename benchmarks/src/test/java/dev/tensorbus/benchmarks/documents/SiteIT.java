// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Builds the site as CONTRIBUTING says, and follows its links.
@Tag("long")
class SiteIT {
  private static final Path SITE = Pages.ROOT.resolve("target/site");
  private static final Pattern LINK = Pattern.compile("<a [^>]*href=\"([^\"#]*)(?:#([^\"]*))?\"");
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");

  /// The addresses that a browser loads with a page.
  private static final Pattern LOADED =
      Pattern.compile("(?:<link [^>]*href=|<(?:script|img)[^>]* src=|url\\()[\"']?([^\"')>]+)");

  @BeforeAll
  static void build() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "npm"))),
        "needs npm on the PATH");
    run("npm", "ci");
    run("npm", "run", "build");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(Pages.ROOT.resolve("config/site").toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
  }

  /// The site's own files; javadoc has checked those in `api`.
  private static List<Path> files(String end) throws IOException {
    try (Stream<Path> files = Files.walk(SITE)) {
      return files
          .filter(file -> file.toString().endsWith(end))
          .filter(file -> !file.startsWith(SITE.resolve("api")))
          .toList();
    }
  }

  @Test
  void everyDocumentIsAPage() {
    assertThat(Pages.all())
        .map(page -> Pages.name(page).replaceFirst("^README", "index").replaceFirst("md$", "html"))
        .map(SITE::resolve)
        .allMatch(Files::exists);
  }

  @Test
  void everyLinkLeadsToAPlace() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : files(".html")) {
      for (MatchResult link : LINK.matcher(Pages.read(page)).results().toList()) {
        links++;
        if (!isGood(page, link.group(1), link.group(2))) {
          broken.add(SITE.relativize(page) + ": " + link.group(1) + " # " + link.group(2));
        }
      }
    }
    assertThat(links).isGreaterThan(1000);
    assertThat(broken).isEmpty();
  }

  private static boolean isGood(Path page, String to, String anchor) {
    if (to.matches("\\w+:.*")) {
      return true;
    }
    Path place = to.startsWith("/") ? SITE.resolve(to.substring(1)) : page.resolveSibling(to);
    Path target = to.isEmpty() ? page : place;
    Path file = Files.isDirectory(target) ? target.resolve("index.html") : target;
    return Files.exists(file) && (anchor == null || anchors(file).contains(anchor));
  }

  private static Set<String> anchors(Path page) {
    return ID.matcher(Pages.read(page))
        .results()
        .map(id -> id.group(1))
        .collect(Collectors.toSet());
  }

  @Test
  void aReaderNeedsNoNetwork() throws IOException {
    List<Path> pages = new ArrayList<>(files(".html"));
    pages.addAll(files(".css"));
    for (Path page : pages) {
      assertThat(LOADED.matcher(Pages.read(page)).results().map(found -> found.group(1)))
          .as(page.toString())
          .allMatch(address -> address.startsWith("data:") || !address.contains("//"));
    }
  }
}
