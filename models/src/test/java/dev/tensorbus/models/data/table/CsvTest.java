// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  private static final String FLOWERS =
      """
      length,width,species
      5.1,3.5,setosa
      7,-.5,virginica
      6.3e0,+2.,setosa
      """;

  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("table.csv");
  }

  private Table csv(String text) {
    try {
      return Table.readCsv(Files.writeString(file, text));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertFails(ThrowingCallable reading, String message) {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(reading)
        .withMessage(file + ": " + message);
  }

  @Test
  void columnsAreNamedByTheFirstLine() {
    Table flowers = csv(FLOWERS);
    assertThat(flowers.columns()).containsExactly("length", "width", "species");
    assertThat(flowers.size()).isEqualTo(3);
    assertThat(flowers.strings("species")).containsExactly("setosa", "virginica", "setosa");
    assertThat(flowers.strings("width")).containsExactly("3.5", "-.5", "+2.");
  }

  @Test
  void aTensorHasOneColumnForEachNameInTheirOrder() {
    Tensor tensor = csv(FLOWERS).tensor("width", "length");
    assertThat(tensor.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(tensor.values()).containsExactly(3.5f, 5.1f, -0.5f, 7, 2, 6.3f);
    assertThat(csv("a,b\n1,2\n").tensor().values()).as("all columns").containsExactly(1, 2);
  }

  @Test
  void classesAreNumberedByTheirSortedNames() {
    Table.Classes species = csv(FLOWERS).classes("species");
    assertThat(species.names()).containsExactly("setosa", "virginica");
    assertThat(species.labels().longs()).containsExactly(0, 1, 0);
  }

  @Test
  void classesCanBeThoseOfAnotherFile() {
    List<String> names = List.of("virginica", "versicolor", "setosa");
    Table.Classes species = csv(FLOWERS).classes("species", names);
    assertThat(species.names()).isEqualTo(names);
    assertThat(species.labels().longs()).containsExactly(2, 0, 2);
    assertFails(
        () -> csv(FLOWERS).classes("species", List.of("setosa")),
        "line 3, column \"species\": \"virginica\" is not a class; expected one of [setosa]");
    assertFails(
        () -> csv("a,b\n1,\n").classes("b"),
        "line 2, column \"b\": \"\" is empty, not a class; fill it in");
  }

  @Test
  void wholeNumbersAreReadExactly() {
    assertThat(csv("id\n9007199254740993\n-1\n+2\n").longs("id").longs())
        .containsExactly(9007199254740993L, -1, 2);
    assertFails(
        () -> csv("id\n1.0\n").longs("id"),
        "line 2, column \"id\": \"1.0\" is not an integer; correct it, or read the column with"
            + " tensor");
    assertFails(
        () -> csv("id\n9223372036854775808\n").longs("id"),
        "line 2, column \"id\": \"9223372036854775808\" is too large for int64; read the column"
            + " with tensor or strings");
  }

  @Test
  void quotedFieldsHoldSeparatorsQuotesAndLineBreaks() {
    Table table = csv("a,\"b,c\"\r\n\"x\"\"y\",\"1\r\n2\"\r\n\"\",3");
    assertThat(table.columns()).containsExactly("a", "b,c");
    assertThat(table.strings("a")).containsExactly("x\"y", "");
    assertThat(table.strings("b,c")).containsExactly("1\r\n2", "3");
  }

  @Test
  void anySeparatorWillDoButAQuoteOrALineBreak() throws IOException {
    Files.writeString(file, "a;b\n1,5;\"2;\"\n");
    assertThat(Table.readCsv(file, ';').strings("b")).containsExactly("2;");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.readCsv(file, '"'))
        .withMessage("the separator is a quote or a line break; use another character");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void linesEndAsOnAnySystemAndEmptyOnesAreSkipped(String end) {
    Table table = csv(String.join(end, "", "a,b", "1,2", "", "", "3,x", ""));
    assertThat(table.strings("a")).containsExactly("1", "3");
    assertFails(
        () -> table.tensor("b"),
        "line 6, column \"b\": \"x\" is not a number; correct it, or read the texts of the column"
            + " with classes");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstName() {
    assertThat(csv("\ufeffa,b\n1,2\n").columns()).containsExactly("a", "b");
    assertThat(csv("a\n\ufeff\n").strings("a")).containsExactly("\ufeff");
  }

  @Test
  void blanksBelongToTextAndAreLeftOutOfNumbers() {
    Table table = csv("a, b\n x, 1 \n");
    assertThat(table.strings("a")).containsExactly(" x");
    assertThat(table.tensor(" b").values()).containsExactly(1);
    assertFails(() -> table.tensor("b"), "no column \"b\"; expected one of [a,  b]");
  }

  @Test
  void anEmptyFieldIsNoNumberUnlessOneIsGiven() {
    Table table = csv("a,b\n1,\n, 2\n");
    assertFails(
        () -> table.tensor("a", "b"),
        "line 3, column \"a\": \"\" is empty; fill it in, or set a value with withMissing");
    assertThat(table.withMissing(-1).tensor().values()).containsExactly(1, -1, -1, 2);
    assertThat(table.withMissing(Float.NaN).tensor("a").values()).containsExactly(1, Float.NaN);
  }

  @Test
  void nanAndInfinityAreNumbersAsProgramsWriteThem() {
    assertThat(csv("a\nnan\nNaN\ninf\n-Infinity\n").tensor("a").values())
        .containsExactly(Float.NaN, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1f", "0x1p3", "1_000", "1e", ".", "e5", "--1", "٣", "NA", "1 2", "infinit"})
  void refusesTextThatIsNoDecimalNumber(String text) {
    assertFails(
        () -> csv("a\n" + text + "\n").tensor("a"),
        "line 2, column \"a\": \"%s\" is not a number; correct it, or read the texts of the column with classes"
            .formatted(text));
  }

  @Test
  void refusesANumberThatIsTooLarge() {
    assertFails(
        () -> csv("a\n1e39\n").tensor("a"),
        "line 2, column \"a\": \"1e39\" is too large for float32; scale the column");
  }

  @Test
  void aRowHasAsManyFieldsAsTheHeader() {
    assertFails(
        () -> csv("a,b\n1,2\n3\n"),
        "line 3, column 1: \"3\" is the last field, but the header has 2 fields; correct the"
            + " line, or use another separator");
    assertFails(
        () -> csv("a,b\n\"1\n\",2,3\n"),
        "line 2, column 3: \"3\" is an extra field, but the header has 2 fields; correct the"
            + " line, or use another separator");
  }

  @Test
  void refusesQuotesThatAreMissingOrMisplaced() {
    assertFails(
        () -> csv("a,b\n1,2\n3,\"four\n5,6\n"),
        "line 3, column 2: \"four 5,6 \" has an opening quote without a closing one; close it or"
            + " double it");
    assertFails(
        () -> csv("a,b\n1,5\"x\n"),
        "line 2, column 2: \"5\" contains a quote; enclose the field in quotes and double the"
            + " quotes inside");
    assertFails(
        () -> csv("a,b\n\"1\n\"x,2\n"),
        "line 3, column 1: \"1 \" continues after its closing quote; double quotes inside a field");
    assertFails(
        () -> csv("\""),
        "line 1, column 1: \"\" has an opening quote without a closing one; close it or double it");
  }

  @Test
  void aQuoteThatIsMissingDoesNotSwallowALargeFile() {
    assertFails(
        () -> csv("a\n\"" + "x".repeat(131_073)),
        "line 2, column 1: \"%s…\" has more than 131,072 characters; look for an unclosed quote"
            .formatted("x".repeat(40)));
    assertThat(csv("a\n" + "x".repeat(131_072)).strings("a").getFirst()).hasSize(131_072);
  }

  @Test
  void refusesAFileWithoutAHeaderAndANameThatComesTwice() {
    assertFails(() -> csv(""), "is empty; the first line must name the columns");
    assertFails(() -> csv("\n\r\n"), "is empty; the first line must name the columns");
    assertFails(
        () -> csv("a,b,a\n"),
        "line 1, column 3: \"a\" is a duplicate; column names must be unique");
    assertThat(csv("a,b").tensor().shape()).isEqualTo(Shape.of(0, 2));
  }

  @Test
  void refusesAFileThatIsNotUtf8() throws IOException {
    Files.write(file, "a\n1\nJahr für Jahr\n".getBytes(StandardCharsets.ISO_8859_1));
    assertFails(() -> Table.readCsv(file), "is not UTF-8 at line 1 or later; save it as UTF-8");
  }

  @Test
  void refusesWhatCannotBeRead() {
    Path missing = folder.resolve("missing.csv");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Table.readCsv(missing))
        .withMessage(
            "%s: cannot be read (java.nio.file.NoSuchFileException: %<s); check that it is a"
                    .formatted(missing)
                + " readable file");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Table.readCsv(folder))
        .withMessage(
            folder
                + ": cannot be read (java.io.IOException: Is a directory); check that it is a"
                + " readable file");
  }

  @Test
  void readsBackAnyTableThatIsQuotedByTheRules() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    String alphabet = "ab,\"\n\r é😀 ";
    int[] characters = alphabet.codePoints().toArray();
    for (int round = 0; round < 200; round++) {
      List<String> fields = new ArrayList<>();
      StringBuilder text = new StringBuilder("x,y\n");
      int cells = 2 * random.nextInt(1, 30);
      for (int i = 0; i < cells; i++) {
        StringBuilder field = new StringBuilder();
        for (int length = random.nextInt(6); length > 0; length--) {
          field.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        fields.add(field.toString());
        text.append('"').append(field.toString().replace("\"", "\"\"")).append('"');
        text.append(i % 2 == 0 ? "," : "\r\n");
      }
      Table table = csv(text.toString());
      List<String> x = table.strings("x");
      List<String> y = table.strings("y");
      List<String> read = new ArrayList<>();
      for (int row = 0; row < table.size(); row++) {
        read.add(x.get(row));
        read.add(y.get(row));
      }
      assertThat(read).as("seed %d, round %d", seed, round).isEqualTo(fields);
    }
  }

  @Test
  void anyCutOfAFileIsReadOrRefusedWithItsName() throws IOException {
    byte[] whole = "a,\"b é\"\r\n1,\"x\"\"\n\"\r\n2,y\r\n".getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      try {
        assertThat(Table.readCsv(file).size()).isBetween(0, 2);
      } catch (DataException e) {
        assertThat(e).hasMessageStartingWith(file + ": ");
      }
    }
  }

  @Test
  void aTableLargerThanTheBuffersIsReadWhole() {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < 50_000; i++) {
      text.append(i).append(",\"n").append(i).append("\"\n");
    }
    Table table = csv(text.toString());
    assertThat(table.size()).isEqualTo(50_000);
    assertThat(table.longs("id").longs()[49_999]).isEqualTo(49_999);
    assertThat(table.strings("name").get(33_333)).isEqualTo("n33333");
  }
}
