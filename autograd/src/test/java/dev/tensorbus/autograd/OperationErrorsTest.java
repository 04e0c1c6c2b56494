// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Operations that are given what does not fit say what they were given and what they expect.
final class OperationErrorsTest {
  private final Tensor matrix = Tensor.zeros(2, 3);
  private final Tensor vector = Tensor.zeros(3);

  @Test
  void anAxisThatIsNotThereIsNamed() {
    refused(() -> matrix.cumsum(2), "cumsum: [2, 3] has no axis 2; its axes are -2 to 1");
    refused(() -> matrix.cumprod(-3), "cumprod: [2, 3] has no axis -3; its axes are -2 to 1");
    refused(() -> matrix.sort(2, false), "sort: [2, 3] has no axis 2; its axes are -2 to 1");
    refused(() -> matrix.topk(1, 2, true), "topk: [2, 3] has no axis 2; its axes are -2 to 1");
    refused(() -> matrix.roll(1, 2), "roll: [2, 3] has no axis 2; its axes are -2 to 1");
    refused(() -> matrix.flip(0, -2), "flip: [0, -2] names an axis of [2, 3] twice");
  }

  @Test
  void topkSaysHowManyValuesThereAre() {
    refused(
        () -> matrix.topk(4, 1, true),
        "topk: k is 4, but axis 1 of [2, 3] has 3 values; expected 0 to 3");
    refused(
        () -> matrix.topk(-1, 0, true),
        "topk: k is -1, but axis 0 of [2, 3] has 2 values; expected 0 to 2");
  }

  @Test
  void matricesAreAskedFor() {
    refused(() -> vector.tril(0), "tril: [3] has no matrices: expected at least two axes");
    refused(() -> vector.triu(0), "triu: [3] has no matrices: expected at least two axes");
    refused(() -> vector.trace(), "trace: [3] is not a matrix of two axes");
    refused(
        () -> matrix.outer(vector),
        "outer: [2, 3] and [3]; expected one axis each, such as [m], [n]");
    refused(() -> matrix.diag(4), "diag: [2, 3] has no diagonal 4; it has -2 to 3");
    refused(
        () -> Tensor.scalar(1).diag(0),
        "diag: [] has 0 axes; expected a matrix, or [n] to create one");
    refused(
        () -> Tensor.meshgrid(List.of(vector, matrix)),
        "meshgrid: tensor 1 is [2, 3]; expected one axis");
  }

  @Test
  void anEquationThatDoesNotFitIsShown() {
    refused(
        () -> Tensor.einsum("ij,jk->ik", matrix),
        "einsum: \"ij,jk->ik\" has 2 terms for 1 tensors; write one for each, separated by commas");
    refused(
        () -> Tensor.einsum("ijk->i", matrix),
        "einsum: term \"ijk\" does not fit [2, 3]: expected a letter for each axis, or ...");
    refused(
        () -> Tensor.einsum("i->i", matrix),
        "einsum: term \"i\" does not fit [2, 3]: expected a letter for each axis, or ...");
    refused(
        () -> Tensor.einsum("i1->i", matrix),
        "einsum: \"i1\" in \"i1->i\" may contain only letters and one ..., as in ij,jk->ik");
    refused(
        () -> Tensor.einsum("ij->k", matrix),
        "einsum: the result of \"ij->k\" names k without a term; expected letters of the terms,"
            + " each once");
    refused(
        () -> Tensor.einsum("ij->ii", matrix),
        "einsum: the result of \"ij->ii\" names i twice; expected letters of the terms, each once");
    refused(
        () -> Tensor.einsum("ij,ij->i", matrix, Tensor.zeros(2, 4)),
        "einsum: axis 1 of [2, 4] has 4 values, but other axes with its letter have 3");
  }

  @Test
  void aNormHasAnOrder() {
    refused(
        () -> matrix.vectorNorm(0, 0),
        "vectorNorm: order 0.0; expected a positive number, such as 1 or 2, or infinity");
    refused(
        () -> matrix.vectorNorm(2, 2), "vectorNorm: [2, 3] has no axis 2; its axes are -2 to 1");
    refused(
        () -> Tensor.zeros(2, 0).vectorNorm(1 / 0.0, 1),
        "vectorNorm: [2, 0] has no values along the axes [1]");
    refused(
        () -> Tensor.zeros(2, 0).logsumexp(1),
        "logsumexp: [2, 0] has no values along the axes [1]");
  }

  @Test
  void numbersOfOtherTypesAreConvertedFirst() {
    refused(
        () -> Tensor.ofLongs(1, 2).cumprod(0),
        "cumprod: requires float32 or float64 values, not int64; convert them with"
            + " to(DType.FLOAT32)");
    refused(
        () -> Tensor.ofLongs(1, 2).sin(),
        "sin: requires float32 or float64 values, not int64; convert them with to(DType.FLOAT32)");
    refused(
        () -> Tensor.ofLongs(1, 2).addScalar(1),
        "addScalar: requires float32 or float64 values, not int64; convert them with"
            + " to(DType.FLOAT32)");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
