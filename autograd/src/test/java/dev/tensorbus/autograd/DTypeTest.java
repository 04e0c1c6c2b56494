// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class DTypeTest {
  @Test
  void valuesAreReadInTheTypeThatTheyHave() {
    assertThat(Tensor.of(1.5f).values()).containsExactly(1.5f);
    assertThat(Tensor.ofDoubles(0.1).doubles()).containsExactly(0.1);
    assertThat(Tensor.ofLongs(1L << 60).longs()).containsExactly(1L << 60);
    assertThat(Tensor.ofBooleans(true).booleans()).containsExactly(true);
    assertThat(Tensor.arange(3).longs()).containsExactly(0, 1, 2);
  }

  @Test
  void aWrongAccessorTellsTheRightOne() {
    refused(
        () -> Tensor.ofDoubles(1, 2).values(),
        "values: tensor [2] holds float64 values; read them with doubles() or convert them with"
            + " to(DType.FLOAT32)");
    refused(
        () -> Tensor.of(1, 2).longs(),
        "longs: tensor [2] holds float32 values; read them with values() or convert them with"
            + " to(DType.INT64)");
  }

  @Test
  void typesConvertAsJavaDoes() {
    Tensor x = Tensor.of(-1.7f, 0f, Float.NaN);
    assertThat(x.to(DType.INT64).longs()).containsExactly(-1, 0, 0);
    assertThat(x.to(DType.BOOL).booleans()).containsExactly(true, false, true);
    assertThat(x.to(DType.FLOAT64).doubles()[0]).isEqualTo(-1.7f);
    assertThat(Tensor.ofBooleans(true, false).to(DType.FLOAT32).values()).containsExactly(1, 0);
    assertThat(x.to(DType.FLOAT32)).isSameAs(x);
  }

  @Test
  void whereTypesMeetTheLaterOneIsTaken() {
    assertThat(Tensor.of(1, 2).add(Tensor.ofDoubles(1, 2)).dtype()).isEqualTo(DType.FLOAT64);
    assertThat(Tensor.of(1, 2).mul(Tensor.ofBooleans(true, false)).values()).containsExactly(1, 0);
    Tensor scalar = Tensor.full(Shape.SCALAR, DType.FLOAT64, 0.5);
    assertThat(Tensor.of(1, 2).add(scalar).values()).containsExactly(1.5f, 2.5f);
  }

  @Test
  void aGraphOfSeveralTypesGivesEachLeafItsOwn() {
    Tensor x = Tensor.parameter(Shape.of(2), new float[] {1, 2});
    Tensor y = Tensor.parameterOf(Tensor.ofDoubles(3, 4));
    x.mul(y).sum().backward();
    assertThat(Objects.requireNonNull(x.grad()).values()).containsExactly(3, 4);
    assertThat(Objects.requireNonNull(y.grad()).doubles()).containsExactly(1, 2);
  }

  @Test
  void productsTakeOneTypeOnly() {
    refused(
        () -> Tensor.zeros(2, 2).matmul(Tensor.zeros(2, 2).to(DType.FLOAT64)),
        "matmul: takes values of one type, not float32 and float64; convert one with"
            + " to(DType.FLOAT32)");
  }

  @Test
  void indicesAndMasksHaveNoArithmeticAndNoGradient() {
    refused(
        () -> Tensor.ofLongs(1).relu(),
        "relu: takes float32 or float64 values, not int64; convert them with to(DType.FLOAT32)");
    refused(
        () -> Tensor.parameterOf(Tensor.ofLongs(1)),
        "tensor: int64 values have no gradient; convert them with to(DType.FLOAT32)");
    refused(
        () -> Tensor.ofStorage(Shape.of(1), new int[] {1}),
        "tensor: holds float[], double[], long[] or boolean[], not int[]");
  }

  @Test
  void aLeafKeepsItsShapeAndType() {
    Tensor x = Tensor.parameterOf(Tensor.ofDoubles(1, 2));
    x.replace(old -> old.scale(2));
    assertThat(x.doubles()).containsExactly(2, 4);
    refused(
        () -> x.replace(old -> Tensor.of(1, 2)),
        "update: float32 [2] does not replace float64 [2]");
  }

  @Test
  void peopleSeeTheType() {
    assertThat(Tensor.of(1, 2)).hasToString("Tensor[2][1.0, 2.0]");
    assertThat(Tensor.arange(9)).hasToString("Tensor[9] int64[0, 1, 2, 3, 4, 5, 6, 7, …]");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(RuntimeException.class).hasMessage(message);
  }
}
