// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.nn.Linear;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
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
  void aWholeNumberIsComparedWithMasksAsANumber() {
    Tensor mask = Tensor.ofBooleans(true, false);
    Tensor two = Tensor.of(Shape.SCALAR, new long[] {2});
    assertThat(mask.le(two).booleans()).containsExactly(true, true);
    assertThat(mask.eq(two).booleans()).containsExactly(false, false);
    assertThat(two.eq(mask).booleans()).containsExactly(false, false);
    assertThat(two.gt(mask).booleans()).containsExactly(true, true);
    Tensor yes = Tensor.of(Shape.SCALAR, new boolean[] {true});
    assertThat(Tensor.ofLongs(2, 1, 0).eq(yes).booleans()).containsExactly(false, true, false);
  }

  @Test
  void aBfloat16ScalarIsNotRoundedToWholeNumbers() {
    Tensor half = Tensor.full(Shape.SCALAR, DType.BFLOAT16, 0.5);
    assertThat(Tensor.ofLongs(0, 1).lt(half).booleans()).containsExactly(true, false);
    // As in torch, whole numbers meet bfloat16 in bfloat16, which has 8 bits.
    Tensor large = Tensor.full(Shape.of(2), DType.BFLOAT16, 256);
    assertThat(Tensor.ofLongs(257, 258).eq(large).booleans()).containsExactly(true, false);
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
        "matmul: requires values of one type, not float32 and float64; convert one with"
            + " to(DType.FLOAT32)");
  }

  @Test
  void indicesAndMasksHaveNoArithmeticAndNoGradient() {
    refused(
        () -> Tensor.ofLongs(1).relu(),
        "relu: requires float32 or float64 values, not int64; convert them with to(DType.FLOAT32)");
    refused(
        () -> Tensor.parameterOf(Tensor.ofLongs(1)),
        "tensor: int64 values have no gradient; convert them with to(DType.FLOAT32)");
  }

  @Test
  void bfloat16IsMovedAndCompared() {
    Tensor x =
        Tensor.of(1, -2.5f, 3.14159f, Float.NaN, 5, Float.MAX_VALUE)
            .to(DType.BFLOAT16)
            .reshape(2, 3);
    assertThat(x).hasToString("Tensor[2, 3] bfloat16[1.0, -2.5, 3.140625, NaN, 5.0, Infinity]");
    same(x.transpose(0, 1), 1, Float.NaN, -2.5f, 5, 3.140625f, Float.POSITIVE_INFINITY);
    same(x.slice(1, 0, 2), 1, -2.5f, Float.NaN, 5);
    same(x.slice(0, 0, 1).expand(2, 3), 1, -2.5f, 3.140625f, 1, -2.5f, 3.140625f);
    same(x.select(1, 1).unsqueeze(1).expand(2, 2), -2.5f, -2.5f, 5, 5);
    same(x.indexSelect(0, Tensor.ofLongs(1)), Float.NaN, 5, Float.POSITIVE_INFINITY);
    same(x.indexSelect(1, Tensor.ofLongs(1, 0)), -2.5f, 1, 5, Float.NaN);
    same(x.gather(1, Tensor.ofLongs(1, 1).reshape(2, 1)), -2.5f, 5);
    same(Tensor.concatenate(List.of(x, x), 1).slice(1, 2, 4).slice(0, 0, 1), 3.140625f, 1);
    same(x.sort(1, false).values().slice(0, 0, 1), -2.5f, 1, 3.140625f);
    same(Tensor.full(Shape.of(2), DType.BFLOAT16, 0.1), 0.10009765625f, 0.10009765625f);
    assertThat(x.gt(Tensor.scalar(2)).booleans())
        .containsExactly(false, false, true, false, true, true);
    assertThat(x.eq(x).booleans()).containsExactly(true, true, true, false, true, true);
    assertThat(x.unique().counts().longs()).hasSize(6);
    assertThat(x.select(0, 0).select(0, 1).item()).isEqualTo(-2.5f);
    assertThat(x.to(DType.BFLOAT16)).isSameAs(x);
    assertThat(x.to(DType.INT64).longs()).startsWith(1, -2, 3, 0, 5);
    assertThat(Tensor.ofDoubles(257).to(DType.BFLOAT16).to(DType.FLOAT64).doubles())
        .containsExactly(256);
  }

  private static void same(Tensor x, float... expected) {
    assertThat(x.dtype()).isEqualTo(DType.BFLOAT16);
    assertThat(x.to(DType.FLOAT32).values()).containsExactly(expected);
  }

  @Test
  void bfloat16IsComputedWithAsFloat32() {
    Tensor x = Tensor.of(1, 2).to(DType.BFLOAT16);
    assertThat(x.add(Tensor.of(1, 2)).values()).containsExactly(2, 4);
    Tensor weight = Tensor.parameterOf(Tensor.of(3, 4));
    x.mul(weight).sum().backward();
    assertThat(Objects.requireNonNull(weight.grad()).values()).containsExactly(1, 2);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            x::relu,
            () -> x.add(x),
            x::sum,
            () -> x.scale(2),
            () -> x.matmul(x),
            () -> x.where(x.gt(x), x),
            () -> x.softmax(0),
            () -> x.max(0),
            () -> x.cumsum(0))) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith(
              ": requires float32 or float64 values, not bfloat16; convert them with"
                  + " to(DType.FLOAT32)");
    }
    refused(
        () -> Tensor.parameterOf(x),
        "tensor: bfloat16 values have no gradient; convert them with to(DType.FLOAT32)");
    refused(
        x::values,
        "values: tensor [2] holds bfloat16 values; read them with heap() or convert them with"
            + " to(DType.FLOAT32)");
    refused(
        () -> new Linear(1, 1, new SplittableRandom(1)).to(DType.BFLOAT16),
        "to: layers can be converted to float32 or float64, not to bfloat16");
  }

  @Test
  void sumsOfWholeNumbersAndMasksAreExact() {
    long large = 1L << 60;
    Tensor x = Tensor.ofLongs(large, 1, 2, -3, 5, 8).reshape(2, 3);
    assertThat(x.sum().longs()).containsExactly(large + 13);
    assertThat(x.sum(1).longs()).containsExactly(large + 3, 10);
    assertThat(x.sum(0).longs()).containsExactly(large - 3, 6, 10);
    assertThat(x.sum(0, 1).longs()).containsExactly(large + 13);
    assertThat(x.cumsum(1).longs()).containsExactly(large, large + 1, large + 3, -3, 2, 10);
    assertThat(x.cumsum(0).longs()).containsExactly(large, 1, 2, large - 3, 6, 10);
    assertThat(Tensor.ofLongs().sum().longs()).containsExactly(0);
    Tensor mask = Tensor.ofBooleans(true, false, true, true).reshape(2, 2);
    assertThat(mask.sum().longs()).containsExactly(3);
    assertThat(mask.sum(0).longs()).containsExactly(2, 1);
    assertThat(mask.cumsum(1).longs()).containsExactly(1, 1, 1, 2);
    refused(
        x::mean,
        "mean: requires float32 or float64 values, not int64; convert them with to(DType.FLOAT32)");
    refused(
        () -> x.mean(0),
        "mean: requires float32 or float64 values, not int64; convert them with"
            + " to(DType.FLOAT32)");
  }

  @Test
  void aScalarHasTheTypeOfItsNumber() {
    long id = (1L << 53) + 1;
    assertThat(Tensor.scalar(id).longs()).containsExactly(id);
    assertThat(Tensor.scalar(id).shape()).isEqualTo(Shape.SCALAR);
    assertThat(Tensor.scalar(1).values()).containsExactly(1);
    assertThat(Tensor.scalar(0.5f).values()).containsExactly(0.5f);
  }

  @Test
  void wholeNumbersAndMasksAreComparedWithTheNumberItself() {
    long large = 1L << 53;
    Tensor x = Tensor.ofLongs(2, 3, large + 1);
    assertThat(x.lt(2.5).booleans()).containsExactly(true, false, false);
    assertThat(x.ge(3).booleans()).containsExactly(false, true, true);
    assertThat(x.lt(1 / 0.0).booleans()).containsOnly(true);
    assertThat(x.eq(Tensor.scalar(large + 1)).booleans()).containsExactly(false, false, true);
    assertThat(Tensor.ofBooleans(true, false).eq(1).booleans()).containsExactly(true, false);
    assertThat(Tensor.of(0.1f, 0.2f).eq(0.1).booleans()).containsExactly(true, false);
    assertThat(Tensor.ofDoubles(0.1, 0.2).eq(0.1).booleans()).containsExactly(true, false);
    assertThat(Tensor.of(0.1f).to(DType.BFLOAT16).eq(0.1).booleans()).containsExactly(true);
    refused(
        () -> x.eq(large + 2),
        "eq: int64 values and 9.007199254740994E15, which is beyond 2^53; compare with"
            + " Tensor.scalar(9007199254740994L)");
  }

  @Test
  void aMaskSelectsValuesOfAnyType() {
    Tensor mask = Tensor.ofBooleans(true, false, true);
    assertThat(Tensor.ofLongs(1, 2, 3).maskedSelect(mask).longs()).containsExactly(1, 3);
    assertThat(mask.maskedSelect(mask).booleans()).containsExactly(true, true);
    Tensor rows = Tensor.arange(6).reshape(3, 2).indexSelect(0, mask);
    assertThat(rows.shape()).isEqualTo(Shape.of(2, 2));
    assertThat(rows.longs()).containsExactly(0, 1, 4, 5);
    assertThat(Tensor.scalar(7).maskedSelect(Tensor.scalar(7).gt(0)).values()).containsExactly(7);
    refused(
        () -> mask.maskedSelect(Tensor.ofLongs(1, 0, 1)),
        "maskedSelect: requires a bool mask, not int64; compare, or to(DType.BOOL)");
  }

  @Test
  void aLeafKeepsItsShapeAndType() {
    Tensor x = Tensor.parameterOf(Tensor.ofDoubles(1, 2));
    x.replace(old -> old.scale(2));
    assertThat(x.doubles()).containsExactly(2, 4);
    refused(
        () -> x.replace(old -> Tensor.of(1, 2)), "update: float32 [2] cannot replace float64 [2]");
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
