// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.safetensors.Safetensors;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorDatasetTest {
  private final Tensor inputs = Tensor.of(1, 2, 3, 4, 5, 6).reshape(3, 2);
  private final Tensor labels = Tensor.ofLongs(2, 0, 1);

  @Test
  void anExampleIsARowOfEachTensor() {
    TensorDataset rows = TensorDataset.of(inputs, labels);
    assertThat(rows.size()).isEqualTo(3);
    assertThat(rows.get(1).get(0).values()).containsExactly(3, 4);
    assertThat(rows.get(1).get(1).shape()).isEqualTo(Shape.SCALAR);
    assertThat(rows.get(1).get(1).longs()).containsExactly(0);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> rows.get(-1));
  }

  @Test
  void stackingRowsGivesTheTensorsBack() {
    var loader = DataLoader.of(TensorDataset.of(inputs, labels), 3, TensorDataset::stack);
    List<Tensor> all = loader.iterator().next();
    assertThat(all.get(0).values()).isEqualTo(inputs.values());
    assertThat(all.get(1).longs()).isEqualTo(labels.longs());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TensorDataset.stack(List.of()))
        .withMessage("stack: no rows; pass at least one");
  }

  @Test
  void aFileOfTensorsIsADataSet(@TempDir Path folder) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("images", inputs);
    tensors.put("labels", labels);
    Path file = folder.resolve("set.safetensors");
    Safetensors.write(file, tensors);
    TensorDataset rows = TensorDataset.of(Safetensors.read(file), "labels", "images");
    assertThat(rows.get(0).get(0).longs()).containsExactly(2);
    assertThat(rows.get(0).get(1).values()).containsExactly(1, 2);
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> TensorDataset.of(tensors, "image"))
        .withMessage("no tensor \"image\"; expected one of [images, labels]");
  }

  @Test
  void inputsAndLabelsAreExamples() {
    Dataset<Example> examples = TensorDataset.examples(inputs, labels);
    assertThat(examples.size()).isEqualTo(3);
    assertThat(examples.get(0).input().values()).containsExactly(1, 2);
    assertThat(examples.get(0).label()).isEqualTo(2);
  }

  @Test
  void laterVersionsOfATensorAreNotSeen() {
    Tensor parameter = Tensor.parameter(Shape.of(2), new float[] {1, 2});
    TensorDataset rows = TensorDataset.of(parameter);
    parameter.update(_ -> new float[] {3, 4});
    assertThat(rows.get(0).getFirst().values()).containsExactly(1);
    assertThat(rows.get(0).getFirst().requiresGrad()).isFalse();
  }

  @Test
  void refusesTensorsThatHaveNotEquallyManyRows() {
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> TensorDataset.of(inputs, Tensor.of(1, 2)))
        .withMessage(
            "data set: tensor 0 [3, 2] has 3 rows, tensor 1 [2] has 2; expected the same number");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> TensorDataset.of(inputs, Tensor.scalar(1)))
        .withMessage("data set: tensor 1 is a single value; expected a row per example");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(TensorDataset::of)
        .withMessage("data set: no tensors; pass at least one");
  }

  @Test
  void refusesLabelsThatAreNoClasses() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TensorDataset.examples(inputs, labels.to(DType.FLOAT32)))
        .withMessage("data set: labels are float32; convert them with to(DType.INT64)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TensorDataset.examples(inputs, Tensor.ofLongs(0, -1, 2)))
        .withMessage("data set: label 1 is -1; expected a class of 0 or more");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> TensorDataset.examples(inputs, labels.reshape(3, 1)))
        .withMessage("data set: labels have the shape [3, 1]; expected one axis");
  }
}
