// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Operations that move values of any type, on those that `OperationsTest` has none of: int64 and
/// boolean ones.
final class OrderTest {
  private final Tensor numbers = Tensor.ofLongs(3, Long.MAX_VALUE, -1, 3, Long.MAX_VALUE - 1);
  private final Tensor mask = Tensor.ofBooleans(true, false, true);

  @Test
  void int64IsSortedToTheLastBit() {
    Tensor.Sorted sorted = numbers.sort(0, false);
    assertThat(sorted.values().longs())
        .containsExactly(-1, 3, 3, Long.MAX_VALUE - 1, Long.MAX_VALUE);
    assertThat(sorted.indices().longs()).containsExactly(2, 0, 3, 4, 1);
    assertThat(numbers.topk(2, 0, true).values().longs())
        .containsExactly(Long.MAX_VALUE, Long.MAX_VALUE - 1);
    assertThat(numbers.unique().values().longs())
        .containsExactly(-1, 3, Long.MAX_VALUE - 1, Long.MAX_VALUE);
    assertThat(numbers.unique().inverse().longs()).containsExactly(1, 3, 0, 1, 2);
    assertThat(numbers.unique().counts().longs()).containsExactly(1, 2, 1, 1);
  }

  @Test
  void falseComesBeforeTrue() {
    assertThat(mask.sort(0, false).values().booleans()).containsExactly(false, true, true);
    assertThat(mask.argsort(0, true).longs()).containsExactly(0, 2, 1);
    assertThat(mask.unique().values().booleans()).containsExactly(false, true);
    assertThat(mask.unique().counts().longs()).containsExactly(1, 2);
  }

  @Test
  void eachNaNIsOneOfItsOwnAndTheLast() {
    Tensor.Unique unique = Tensor.of(Float.NaN, 1, 0f, -0f, Float.NaN).unique();
    assertThat(unique.values().values()).containsExactly(0, 1, Float.NaN, Float.NaN);
    assertThat(unique.counts().longs()).containsExactly(2, 1, 1, 1);
    assertThat(unique.inverse().longs()).containsExactly(2, 1, 0, 0, 3);
    assertThat(Tensor.zeros(0).unique().values().shape()).isEqualTo(Shape.of(0));
  }

  @Test
  void valuesOfAnyTypeAreMoved() {
    assertThat(mask.roll(1, 0).booleans()).containsExactly(true, true, false);
    assertThat(numbers.flip(0).longs()[0]).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(Tensor.ofLongs(5, 6).diag(0).longs()).containsExactly(5, 0, 0, 6);
    Tensor causal = Tensor.full(Shape.of(2, 2), DType.BOOL, 1).tril(0);
    assertThat(causal.booleans()).containsExactly(true, false, true, true);
    assertThat(Tensor.meshgrid(List.of(mask, numbers)).getLast().shape()).isEqualTo(Shape.of(3, 5));
  }

  @Test
  void theGradientGoesToTheValuesThatWereChosen() {
    Tensor x = Tensor.parameter(Shape.of(4), new float[] {2, 5, 2, 7});
    x.topk(2, 0, false).values().mul(Tensor.of(10, 20)).sum().backward();
    assertThat(Objects.requireNonNull(x.grad()).values()).containsExactly(10, 0, 20, 0);
  }
}
