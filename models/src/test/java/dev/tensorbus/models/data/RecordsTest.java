// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordsTest {
  private record Text(Tensor ids, Tensor mask) {}

  private record Labelled(Text text, Tensor label) {}

  private record Named(Tensor values, String name) {}

  private record Empty() {}

  private record Crops(List<Tensor> images, Text text) {}

  private static Labelled example(long first, long second, int label) {
    return new Labelled(
        new Text(Tensor.ofLongs(first, second), Tensor.ofBooleans(true, second > 0)),
        Tensor.of(Shape.SCALAR, new long[] {label}));
  }

  @Test
  void aLoaderStacksTheComponentsOfRecords() {
    var data = Dataset.of(List.of(example(1, 2, 0), example(3, 0, 1), example(4, 5, 2)));
    Labelled batch = DataLoader.of(data, 3, Records::collate).iterator().next();
    assertThat(batch.text().ids().shape()).isEqualTo(Shape.of(3, 2));
    assertThat(batch.text().ids().longs()).containsExactly(1, 2, 3, 0, 4, 5);
    assertThat(batch.text().mask().booleans()).containsExactly(true, true, true, false, true, true);
    assertThat(batch.label().dtype()).isEqualTo(DType.INT64);
    assertThat(batch.label().shape()).isEqualTo(Shape.of(3));
    assertThat(batch.label().longs()).containsExactly(0, 1, 2);
    assertThat(Records.size(batch)).isEqualTo(3);
  }

  @Test
  void theSizeIsThatOfAllTensors() {
    assertThat(Records.size(Tensor.zeros(4, 2))).isEqualTo(4);
    assertThat(Records.size(new Batch(Tensor.zeros(5, 2), Tensor.ofLongs(0, 1, 2, 3, 4))))
        .isEqualTo(5);
    var flat = new Text(Tensor.ofLongs(1, 2, 3), Tensor.ofBooleans(true, false));
    assertThatThrownBy(() -> Records.size(new Labelled(flat, Tensor.ofLongs(1, 2, 3))))
        .isInstanceOf(ShapeException.class)
        .hasMessage(
            "records: the tensors of a batch have different first sizes, {Labelled.text.ids=3,"
                + " Labelled.text.mask=2, Labelled.label=3}; override size of TrainingStep");
  }

  @Test
  void whatIsNoTensorIsRefused() {
    assertThatThrownBy(() -> Records.collate(List.of(new Named(Tensor.of(1), "one"))))
        .hasMessage(
            "records: Named.name is a java.lang.String; expected a tensor or a record of tensors");
    assertThatThrownBy(() -> Records.size("text"))
        .hasMessage(
            "records: String is a java.lang.String; expected a tensor, or a record or list of tensors");
    assertThatThrownBy(() -> Records.size(new Empty())).hasMessage("records: Empty has no tensors");
    assertThatThrownBy(() -> Records.collate(List.of()))
        .hasMessage("records: no examples; a batch needs at least one");
  }

  @Test
  void theTensorsOfABatchHaveNamesAndMayBeReplaced() {
    var batch =
        new Crops(
            List.of(Tensor.zeros(2), Tensor.ones(2)),
            new Text(Tensor.ofLongs(1, 2), Tensor.ofBooleans(true, false)));
    assertThat(Records.tensors(batch).keySet())
        .containsExactly("Crops.images[0]", "Crops.images[1]", "Crops.text.ids", "Crops.text.mask");
    List<Tensor> others = List.of(Tensor.of(3), Tensor.of(4), Tensor.ofLongs(5), Tensor.of(6));
    Crops changed = Records.withTensors(batch, others);
    assertThat(List.copyOf(Records.tensors(changed).values())).isEqualTo(others);
    assertThat(Records.withTensors(Tensor.of(1), others)).isSameAs(others.getFirst());
    assertThatThrownBy(() -> Records.tensors(new Named(Tensor.of(1), "one")))
        .hasMessage(
            "records: Named.name is a java.lang.String; expected a tensor, or a record or list of"
                + " tensors");
  }

  @Test
  void examplesOfDifferentShapesAreRefusedByName() {
    var one = new Text(Tensor.ofLongs(1, 2), Tensor.ofBooleans(true, true));
    var two = new Text(Tensor.ofLongs(1, 2, 3), Tensor.ofBooleans(true, true));
    assertThatThrownBy(() -> Records.collate(List.of(one, two)))
        .isInstanceOf(ShapeException.class)
        .hasMessageStartingWith("records: Text.ids: ");
  }

  /// Numbers beside a label.
  public record NumberedRow(Tensor numbers, Tensor label) {}

  @Test
  void theExamplesOfABatchAreItsRows() {
    NumberedRow batch =
        new NumberedRow(
            Tensor.of(Shape.of(2, 2), new float[] {1, 2, 3, 4}), Tensor.ofLongs(new long[] {5, 6}));
    Dataset<NumberedRow> examples = Records.examples(batch);
    assertThat(examples.size()).isEqualTo(2);
    assertThat(examples.get(1).numbers().values()).containsExactly(3, 4);
    assertThat(examples.get(1).label().shape()).isEqualTo(Shape.SCALAR);
    NumberedRow again = Records.collate(List.of(examples.get(0), examples.get(1)));
    assertThat(again.numbers().values()).containsExactly(1, 2, 3, 4);
    assertThat(again.label().longs()).containsExactly(5, 6);
  }
}
