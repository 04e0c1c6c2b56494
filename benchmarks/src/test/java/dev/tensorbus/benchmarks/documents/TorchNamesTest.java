// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page `docs/torch-names.md` is made of `torch-names.txt`, in which each line has functions of
/// torch and their names here: Java, or a sentence after a hyphen.
final class TorchNamesTest {
  private static final String LIST = "torch-names.txt";
  private static final Path PAGE = Pages.ROOT.resolve("docs/torch-names.md");
  private static final String ARROW = " => ";
  private static final String HEAD = "| torch | here | torch | here |\n| --- | --- | --- | --- |\n";
  private static final int MOST_USED = 150;

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final List<String> list = lines();

  private static List<String> lines() {
    try (InputStream list = TorchNamesTest.class.getResourceAsStream(LIST)) {
      String text = new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Stream<String[]> pairs() {
    return list.stream().filter(line -> line.contains(ARROW)).map(line -> line.split(ARROW, 2));
  }

  @Test
  void theMostUsedFunctionsOfTorchAreListedOnce() {
    List<String> names = pairs().map(pair -> pair[0]).toList();
    assertThat(names).hasSizeGreaterThanOrEqualTo(MOST_USED).doesNotHaveDuplicates();
  }

  @Test
  void everyNameOfOursExists() {
    JavaNames names = new JavaNames();
    List<String> wrong = new ArrayList<>();
    for (String[] pair : pairs().toList()) {
      CODE.matcher(here(pair[1]))
          .results()
          .flatMap(code -> names.missing(code.group(1)).stream())
          .map(missing -> String.join(ARROW, pair) + ": " + missing)
          .forEach(wrong::add);
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aNameThatDoesNotExistIsNoticed() {
    JavaNames names = new JavaNames();
    assertThat(names.missing("new Linear(x.mean(1), 2).forward(x)")).isEmpty();
    assertThat(names.missing("x.meanOver(1)")).containsExactly("x.meanOver() has no meanOver");
    assertThat(names.missing("x.sum().men()")).containsExactly("x.sum().men() has no men");
    assertThat(names.missing("new Lineal(x.man())")).hasSize(2);
  }

  @Test
  void thePageIsMadeOfTheList() throws IOException {
    Pages.requireMade(PAGE, page(), "the list");
  }

  private String page() {
    StringBuilder page = new StringBuilder();
    List<String> cells = new ArrayList<>();
    for (String line : list) {
      String[] pair = line.split(ARROW, 2);
      if (pair.length == 2) {
        cells.add(cell("`" + pair[0] + "`") + " | " + cell(here(pair[1])));
      } else {
        appendTable(cells, page);
        page.append(line).append('\n');
      }
    }
    appendTable(cells, page);
    return page.toString();
  }

  /// Appends a table with two pairs in a row, and removes the cells.
  private static void appendTable(List<String> cells, StringBuilder page) {
    if (cells.isEmpty()) {
      return;
    }
    int rows = (cells.size() + 1) / 2;
    page.append('\n').append(HEAD);
    for (int i = 0; i < rows; i++) {
      String second = rows + i < cells.size() ? cells.get(rows + i) : " | ";
      page.append("| ").append(cells.get(i)).append(" | ").append(second).append(" |\n");
    }
    cells.clear();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String here(String text) {
    return text.startsWith("- ") ? text.substring("- ".length()) : "`" + text + "`";
  }
}
