// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TablePreparationTest {
  @TempDir private Path folder = Path.of("");

  private Table table(String text) throws IOException {
    return Table.readCsv(Files.writeString(folder.resolve("table.csv"), text));
  }

  private Table rows(int count) throws IOException {
    return table(
        IntStream.range(0, count)
            .mapToObj(i -> i + "," + (i % 10 == 0 ? "rare" : "often"))
            .collect(Collectors.joining("\n", "id,class\n", "\n")));
  }

  /// The values are those of `numpy.nanmean` and `numpy.nanstd`, which scikit-learn's scaler has.
  @Test
  void columnsAreStandardizedAndMissingFieldsBecomeTheMean() throws IOException {
    Table training = table("a,b\n1,7\n2,7\n,7\n4,7\n10,7\n");
    StandardScaler scaler = StandardScaler.fit(training, "b", "a");
    assertThat(scaler.means()).containsExactly(7.0, 4.25);
    assertThat(scaler.scales().get(0)).as("a constant column").isEqualTo(1);
    assertThat(scaler.scales().get(1)).isCloseTo(3.491060010942235, within(1e-12));
    Tensor scaled = scaler.transform(training);
    assertThat(scaled.shape()).isEqualTo(Shape.of(5, 2));
    assertThat(scaled.values())
        .usingComparatorWithPrecision(1e-6f)
        .containsExactly(
            0f, -0.93094933f, 0f, -0.6445034f, 0f, 0f, 0f, -0.07161149f, 0f, 1.6470642f);
    assertThat(scaler.transform(table("a,b\n4.25,8\n")).values()).containsExactly(1, 0);
  }

  @Test
  void aScalerRefusesAColumnWithoutNumbersAndText() throws IOException {
    Table table = table("a,b,c\n,x,inf\n,y,1\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StandardScaler.fit(table, "a"))
        .withMessage("scaler: column \"a\" has no numbers; leave the column out");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StandardScaler.fit(table, "c"))
        .withMessage("scaler: column \"c\" has infinite numbers; leave the column out");
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> StandardScaler.fit(table, "b"))
        .withMessageEndingWith(
            "line 2, column \"b\": \"x\" is not a number; correct it, or read the texts of the"
                + " column with classes");
  }

  @Test
  void unknownAndMissingCategoriesHaveTheIndexZero() throws IOException {
    OrdinalEncoder encoder =
        OrdinalEncoder.fit(table("city,job\nRome,cook\nBonn,\nRome,pilot\n"), "city", "job");
    assertThat(encoder.categories())
        .containsExactly(List.of("Bonn", "Rome"), List.of("cook", "pilot"));
    assertThat(encoder.sizes()).containsExactly(3, 3);
    Tensor indices = encoder.transform(table("job,city\npilot,Bonn\n,Rome\ncook,Oslo\n"));
    assertThat(indices.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(indices.longs()).containsExactly(1, 2, 2, 0, 0, 1);
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> encoder.transform(table("city\nRome\n")))
        .withMessageEndingWith("no column \"job\"; expected one of [city]");
  }

  @Test
  void aTransformerPutsTheCategoriesBehindTheNumbers() throws IOException {
    Table training = table("city,age,income\nRome,1,10\nBonn,3,30\n");
    var columns =
        new ColumnTransformer(
            StandardScaler.fit(training, "age", "income"), OrdinalEncoder.fit(training, "city"));
    Tensor rows = columns.transform(table("age,income,city\n1,,Oslo\n5,20,Rome\n"));
    assertThat(rows.shape()).isEqualTo(Shape.of(2, 3));
    assertThat(rows.values()).containsExactly(-1, 0, 0, 3, 0, 2);
  }

  @Test
  void aSplitHasEachRowOnceAndDependsOnTheSeed() throws IOException {
    Table table = rows(100);
    TrainTestSplit split = TrainTestSplit.of(table, 0.2, new Random(1));
    assertThat(split.test().size()).isEqualTo(20);
    List<String> ids = new ArrayList<>(split.training().strings("id"));
    ids.addAll(split.test().strings("id"));
    assertThat(ids).containsExactlyInAnyOrderElementsOf(table.strings("id"));
    assertThat(TrainTestSplit.of(table, 0.2, new Random(1)).test().strings("id"))
        .isEqualTo(split.test().strings("id"));
    assertThat(TrainTestSplit.of(table, 0.2, new Random(2)).test().strings("id"))
        .isNotEqualTo(split.test().strings("id"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrainTestSplit.of(table, 20, new Random(1)))
        .withMessage("split: the test size is 20.0; expected a share between 0 and 1");
  }

  @Test
  void aStratifiedSplitKeepsTheSharesOfTheClasses() throws IOException {
    TrainTestSplit split = TrainTestSplit.stratified(rows(100), "class", 0.2, new Random(1));
    assertThat(split.test().strings("class")).hasSize(20).filteredOn("rare"::equals).hasSize(2);
    assertThat(split.training().strings("class")).filteredOn("rare"::equals).hasSize(8);
  }

  @Test
  void anErrorInAPartNamesTheLineOfTheFile() throws IOException {
    Table part = rows(9).subset(7, 4).subset(1);
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> part.tensor("class"))
        .withMessageContaining("line 6, column \"class\": \"often\" is not a number");
  }
}
