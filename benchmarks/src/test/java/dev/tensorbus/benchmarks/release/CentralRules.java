// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.release;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Maven Central's requirements for publishing, less the signatures, which only the owner makes.
final class CentralRules {
  private static final List<String> ITS_OWN = List.of("modelVersion", "name", "description");
  private static final List<String> ALSO_INHERITED =
      List.of(
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/url",
          "scm/connection");

  private static final Map<String, String> CHECKSUMS = Map.of(".md5", "MD5", ".sha1", "SHA-1");

  private final Staging staging;
  private final Map<String, byte[]> files;
  private final List<String> broken = new ArrayList<>();

  private CentralRules(Staging staging) {
    this.staging = staging;
    this.files = staging.files();
  }

  /// @return a line for each rule that an artifact breaks
  static List<String> brokenIn(Staging staging) throws NoSuchAlgorithmException {
    var rules = new CentralRules(staging);
    staging.poms().forEach(rules::checkPom);
    rules.checkChecksums();
    return rules.broken;
  }

  private void checkPom(Pom pom) {
    String name = pom.artifactId();
    ITS_OWN.forEach(path -> require(!pom.own(path).isEmpty(), name + " has no " + path));
    for (String path : ALSO_INHERITED) {
      require(!pom.effective(path, staging.folder()).isEmpty(), name + " has no " + path);
    }
    require(!pom.version().endsWith("-SNAPSHOT"), name + " is of no release");
    require(pom.all("repositories").isEmpty(), name + " names repositories");
    require(files.containsKey(path(pom, ".pom")), name + " lies in another folder");
    if (pom.hasJar()) {
      for (String file : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
        require(files.containsKey(path(pom, file)), name + " has no " + file);
      }
    }
  }

  private static String path(Pom pom, String ending) {
    String folder = pom.groupId().replace('.', '/');
    String file = pom.artifactId() + "-" + pom.version() + ending;
    return String.join("/", folder, pom.artifactId(), pom.version(), file);
  }

  private void checkChecksums() throws NoSuchAlgorithmException {
    for (String file : files.keySet()) {
      boolean isChecksum = CHECKSUMS.keySet().stream().anyMatch(file::endsWith);
      for (var checksum : CHECKSUMS.entrySet()) {
        require(isChecksum || isRight(file, checksum.getKey()), file + checksum.getKey());
      }
    }
  }

  private boolean isRight(String file, String ending) throws NoSuchAlgorithmException {
    byte[] written = files.getOrDefault(file + ending, new byte[0]);
    byte[] digest = MessageDigest.getInstance(CHECKSUMS.get(ending)).digest(files.get(file));
    String right = String.format("%0" + 2 * digest.length + "x", new BigInteger(1, digest));
    return new String(written, StandardCharsets.US_ASCII).strip().equals(right);
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      broken.add(message);
    }
  }
}
