// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What `/metrics` gave, read by the rules of Prometheus' text format.
final class Scrape {
  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\]|\\\\[\\\\\"n])*\"";
  private static final Pattern COMMENT =
      Pattern.compile("# (?:HELP (" + NAME + ")(?: .*)?|TYPE (" + NAME + ") ([a-z]+))");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(" + NAME + ")(\\{" + LABEL + "(?:," + LABEL + ")*,?})? ([-+]?[0-9.eE+-]+|NaN|[-+]Inf)");

  private final Map<String, Double> series = new LinkedHashMap<>();
  private final Set<String> families = new TreeSet<>();
  private final Set<String> names = new TreeSet<>();

  Scrape(String text) {
    assertThat(text).endsWith("\n");
    text.lines().forEach(this::read);
  }

  private void read(String line) {
    Matcher comment = COMMENT.matcher(line);
    if (comment.matches()) {
      if (comment.group(2) != null) {
        assertThat(families.add(comment.group(2))).as("one type each: %s", line).isTrue();
      }
      return;
    }
    Matcher sample = SAMPLE.matcher(line);
    assertThat(sample.matches()).as("a sample: %s", line).isTrue();
    String name = sample.group(1);
    assertThat(families).as("a type came before: %s", line).containsAnyOf(name, family(name));
    names.add(name);
    String key = name + (sample.group(2) == null ? "" : sample.group(2));
    Double before = series.put(key, number(sample.group(3)));
    assertThat(before).as("one sample each: %s", line).isNull();
  }

  private static String family(String name) {
    return name.replaceFirst("_(count|sum|bucket)$", "");
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace("Inf", "Infinity"));
  }

  /// The names after `# TYPE`.
  Set<String> families() {
    return families;
  }

  /// The names of all samples.
  Set<String> names() {
    return names;
  }

  int size() {
    return series.size();
  }

  /// The sum over all series of this name that have these labels, such as `side="caller"`.
  double sum(String name, String... labels) {
    return series.entrySet().stream()
        .filter(one -> one.getKey().equals(name) || one.getKey().startsWith(name + "{"))
        .filter(one -> Set.of(labels).stream().allMatch(one.getKey()::contains))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
