// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// Whether docs/behaviours.md tells the truth: it has every row, and every test that it names has
/// run, in the module that has it. Runs after all other tests of these modules, whose reports it
/// reads; a test of an abstract class has run when it has run in a subclass. A test with the tag
/// `long` counts as run, since the profile of that name runs it.
class BehavioursCheck {
  private static final Path DOCUMENT = Path.of("..", "docs", "behaviours.md");
  private static final Path ROWS = Path.of("src/test/resources/behaviour-rows.txt");

  /// Where these modules' tests are compiled to, and have left their reports; all are on the class
  /// path.
  private static final List<Path> BUILT =
      List.of(
          Path.of("..", "autograd", "target"),
          Path.of("..", "eventbus-rpc", "target"),
          Path.of("target"));

  /// The beginning of a last cell that names no test.
  private static final Pattern REASON = Pattern.compile("\\(no meaning\\) .{10,}");

  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)#(\\w+)`");

  private static List<Row> rows;
  private static Set<String> ran;
  private static Set<String> skipped;

  /// A line of the document's tables. A row has several lines if it has several tests of its own.
  private record Row(String id, String ours) {
    List<String> tests() {
      return TEST.matcher(ours)
          .results()
          .map(found -> found.group(1) + "#" + found.group(2))
          .toList();
    }
  }

  @BeforeAll
  static void read() throws IOException {
    Pattern line = Pattern.compile("^\\| ([A-Z]\\d+) \\| .* \\| (.*) \\|$", Pattern.MULTILINE);
    rows =
        line.matcher(Files.readString(DOCUMENT))
            .results()
            .map(found -> new Row(found.group(1), found.group(2)))
            .toList();
    ran = new HashSet<>();
    skipped = new HashSet<>();
    for (Path report : reports()) {
      read(report);
    }
    for (Path folder : BUILT) {
      noteLongTests(folder.resolve("test-classes"));
    }
  }

  private static void noteLongTests(Path classes) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith("IT.class") || name.endsWith("Test.class"))
          .map(name -> name.replaceFirst("\\.class$", "").replace(File.separatorChar, '.'))
          .map(BehavioursCheck::type)
          .filter(BehavioursCheck::isLong)
          .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
          .forEach(
              test -> ran.add(test.getDeclaringClass().getSimpleName() + "#" + test.getName()));
    }
  }

  private static boolean isLong(Class<?> type) {
    return Arrays.stream(type.getAnnotationsByType(Tag.class))
        .anyMatch(tag -> tag.value().equals("long"));
  }

  private static List<Path> reports() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path built : BUILT) {
      try (Stream<Path> folders = Files.list(built)) {
        folders
            .filter(folder -> folder.toString().endsWith("-reports"))
            .flatMap(folder -> Stream.of(folder.toFile().listFiles()))
            .map(File::toPath)
            .filter(file -> file.toString().endsWith(".xml"))
            .forEach(all::add);
      }
    }
    assertThat(all).as("`mvn verify` in the project's folder runs all tests").isNotEmpty();
    return all;
  }

  private static void read(Path report) throws IOException {
    NodeList cases;
    try {
      DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      cases = parser.parse(report.toFile()).getElementsByTagName("testcase");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(report + " is not a report: " + e.getMessage(), e);
    }
    for (int index = 0; index < cases.getLength(); index++) {
      note((Element) cases.item(index));
    }
  }

  private static void note(Element test) {
    String method = test.getAttribute("name").split("\\W", 2)[0];
    boolean isSkipped = test.getElementsByTagName("skipped").getLength() > 0;
    for (Class<?> type = type(test.getAttribute("classname"));
        type != null;
        type = type.getSuperclass()) {
      (isSkipped ? skipped : ran).add(type.getSimpleName() + "#" + method);
    }
  }

  /// Null for a class that a former build had.
  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, BehavioursCheck.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  @Test
  void everyRowIsListedInOrder() throws IOException {
    List<String> expected =
        Pattern.compile("^[A-Z]\\d+", Pattern.MULTILINE)
            .matcher(Files.readString(ROWS))
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(rows.stream().map(Row::id).distinct()).containsExactlyElementsOf(expected);
  }

  @Test
  void everyRowNamesItsTestsOrAReason() {
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(!row.tests().isEmpty() || REASON.matcher(row.ours()).matches())
                    .as("%s names a test, or begins with (no meaning) or (observability)", row)
                    .isTrue());
  }

  @Test
  void everyTestThatIsNamedHasRun() {
    assertThat(named(test -> !ran.contains(test))).as("misspelt, or did not run").isEmpty();
    assertThat(named(skipped::contains)).as("was skipped").isEmpty();
  }

  private static List<String> named(Predicate<String> condition) {
    return rows.stream()
        .flatMap(row -> row.tests().stream().filter(condition).map(test -> row.id() + " " + test))
        .toList();
  }
}
