// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What callers must send, and what it permits.
///
/// @param secret the string that callers send
/// @param rights what whoever sends it may do
public record AccessToken(String secret, Set<Right> rights) {
  /// Copies the set.
  public AccessToken {
    rights = Set.copyOf(rights);
  }

  /// Reads the tokens of a file. Each line has a token and, after spaces, its rights; without
  /// rights, it permits everything. Empty lines and those that begin with `#` are skipped.
  ///
  /// @throws IllegalArgumentException if there is no token, or a right is unknown
  public static List<AccessToken> parse(String text) {
    List<AccessToken> tokens = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        List<String> words = List.of(line.split("\\s+"));
        Set<Right> rights = EnumSet.noneOf(Right.class);
        words.stream().skip(1).map(AccessToken::right).forEach(rights::add);
        tokens.add(
            new AccessToken(
                words.getFirst(), rights.isEmpty() ? EnumSet.allOf(Right.class) : rights));
      }
    }
    if (tokens.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no token; expected lines of a token and its rights: " + all());
    }
    return tokens;
  }

  private static Right right(String word) {
    return Stream.of(Right.values())
        .filter(right -> right.toString().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the right \"%s\" is unknown; expected some of %s".formatted(word, all())));
  }

  private static String all() {
    return Arrays.toString(Right.values());
  }

  /// Returns whether a caller sent this token, in constant time.
  boolean isShownAs(String given) {
    return MessageDigest.isEqual(bytes(given), bytes(secret));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Omits the secret, which must not be logged.
  @Override
  public String toString() {
    return rights.stream().sorted().map(Right::toString).collect(Collectors.joining(", "));
  }
}
