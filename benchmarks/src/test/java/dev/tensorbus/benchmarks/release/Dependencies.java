// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Artifacts that come with a jar, each as `group:artifact:version` or, with a classifier,
/// `group:artifact:version:classifier`.
final class Dependencies {
  /// Such as `pkg:maven/io.netty/netty-buffer@4.2.7.Final?classifier=linux&type=jar`.
  private static final Pattern PURL =
      Pattern.compile("pkg:maven/([^/]+)/([^@]+)@([^?]+)(?:\\?(.*))?");

  private static final Pattern CLASSIFIER = Pattern.compile("classifier=([^&]+)");

  /// Such as `io.netty:netty-buffer:jar:linux:4.2.7.Final:compile`, as dependency:list writes it.
  private static final Pattern LISTED =
      Pattern.compile("([\\w.-]+):([\\w.-]+):jar(?::([\\w.-]+))?:([\\w.-]+):(?:compile|runtime)");

  private Dependencies() {}

  /// Those that an SBOM lists.
  static Set<String> ofSbom(Path file) throws IOException {
    var components = new JsonObject(Files.readString(file)).getJsonArray("components");
    return components.stream()
        .map(component -> ((JsonObject) component).getString("purl"))
        .map(purl -> URLDecoder.decode(purl, StandardCharsets.UTF_8))
        .map(Dependencies::ofPurl)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String ofPurl(String purl) {
    Matcher found = PURL.matcher(purl);
    if (!found.matches()) {
      throw new IllegalArgumentException(purl);
    }
    String qualifiers = found.group(4) == null ? "" : found.group(4);
    Matcher classifier = CLASSIFIER.matcher(qualifiers);
    String name = String.join(":", found.group(1), found.group(2), found.group(3));
    return classifier.find() ? name + ":" + classifier.group(1) : name;
  }

  /// Those that Maven resolves for a user.
  static Set<String> ofList(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .map(LISTED::matcher)
        .filter(Matcher::find)
        .map(Dependencies::ofLine)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String ofLine(Matcher line) {
    String name = String.join(":", line.group(1), line.group(2), line.group(4));
    return line.group(3) == null ? name : name + ":" + line.group(3);
  }
}
