// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Whether two builds would read each other's records as they were meant.
class SchemasTest {
  record Rates(float learningRate, float momentum) {}

  record Swapped(float momentum, float learningRate) {}

  record Wider(double learningRate, float momentum) {}

  record Listed(List<String> names) {}

  record Numbered(List<Integer> names) {}

  enum Mode {
    TRAIN,
    TEST
  }

  enum OtherMode {
    TEST,
    TRAIN
  }

  static class Plain {
    int count;
    transient int seen;
  }

  static final class Longer extends Plain {
    String name = "";
  }

  private static Schemas schemas(Map<String, String> each) {
    return new Schemas(each.toString(), new TreeMap<>(each));
  }

  @Test
  void theOrderAndTheTypesOfARecordsFieldsCount() {
    assertThat(Schemas.form(Rates.class)).isEqualTo("record(float learningRate, float momentum)");
    assertThat(List.of(Rates.class, Swapped.class, Wider.class, Listed.class, Numbered.class))
        .extracting(Schemas::form)
        .doesNotHaveDuplicates();
    assertThat(Schemas.form(Listed.class))
        .isEqualTo("record(java.util.List<java.lang.String> names)");
  }

  @Test
  void theOrderOfAnEnumsConstantsCounts() {
    assertThat(Schemas.form(Mode.class)).isEqualTo("enum[TRAIN, TEST]");
    assertThat(Schemas.form(OtherMode.class)).isEqualTo("enum[TEST, TRAIN]");
  }

  @Test
  void theFieldsOfAnotherClassCountWithThoseThatItInherits() {
    assertThat(Schemas.form(Longer.class)).isEqualTo("class[java.lang.String name, int count]");
  }

  @Test
  void anEnumsConstantsAreKnownByTheirNamesWhateverTheyPrint() {
    assertThat(Schemas.form(TimeUnit.class)).startsWith("enum[NANOSECONDS, ");
    assertThat(Schemas.form(Loud.class)).isEqualTo("enum[QUIET]");
  }

  enum Loud {
    QUIET {
      @Override
      public String toString() {
        return "!" + hashCode();
      }
    }
  }

  @Test
  void equalClassesDoNotDiffer() {
    Schemas here = Schemas.of(List.of(Rates.class, Mode.class));
    assertThat(here.difference("worker \"a\"", Schemas.of(List.of(Mode.class, Rates.class))))
        .isNull();
    assertThat(here.each()).containsOnlyKeys(Rates.class.getName(), Mode.class.getName());
  }

  @Test
  void aDifferenceNamesTheType() {
    Schemas here = schemas(Map.of("app.A", "1", "app.B", "2"));
    String other = "worker \"a\"";
    assertThat(here.difference(other, schemas(Map.of("app.A", "1", "app.B", "3"))))
        .isEqualTo(
            "app.B of worker \"a\" differs from this worker's class of that name: fields or"
                + " constants differ");
    assertThat(here.difference(other, schemas(Map.of("app.A", "1"))))
        .isEqualTo("worker \"a\" has no app.B in a WireTypes service, but this worker does");
    assertThat(here.difference(other, schemas(Map.of("app.A", "1", "app.B", "2", "app.C", "3"))))
        .isEqualTo("worker \"a\" sends app.C, which no WireTypes service of this worker names");
  }
}
