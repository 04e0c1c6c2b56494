// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assertions.assertAll;

import dev.tensorbus.nn.functional.Losses;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every operation against PyTorch's results and gradients, in both types, and its derivative
/// against its values: one line each.
final class OperationsTest {
  /// Tensor's methods that are no operations, and operations that depend on a random generator,
  /// which have tests of their own.
  private static final Set<String> OTHERS =
      Set.of("detach", "sharedAs", "grad", "to", "dropout", "dropout2d");

  /// Its second derivative no difference shows: the deviation of one value is a root at 0.
  private static final String CURVED = "stdWithCorrection.one";

  private final long seed = Long.getLong("seed", 1);
  private final Reference reference = new Reference("/torch/reference.txt");
  private final List<OperationCase> cases = OperationCases.all();

  @Test
  void everyOperationComputesWhatTorchComputes() {
    compareAll(DType.FLOAT32);
  }

  private void compareAll(DType type) {
    assertAll(cases.stream().map(each -> () -> each.compareWith(reference, type)));
  }

  @Test
  void float64ComputesTheSame() {
    compareAll(DType.FLOAT64);
  }

  @Test
  void everyOperationHasTheDerivativeOfItsValues() {
    SplittableRandom random = new SplittableRandom(seed);
    assertAll(
        "-Dseed=" + seed,
        cases.stream()
            .filter(each -> each.hasSlope(reference))
            .map(each -> () -> each.checkGradient(reference, random)));
  }

  @Test
  void everyDerivativeHasADerivative() {
    SplittableRandom random = new SplittableRandom(seed);
    assertAll(
        "-Dseed=" + seed,
        cases.stream()
            .filter(each -> each.hasSlope(reference) && !CURVED.equals(each.name()))
            .map(each -> () -> each.checkSecond(reference, random)));
  }

  /// But where results that a large number leaves alone are infinity less infinity, or times 0, as
  /// in torch, and where the value decides which others a mask selects.
  @Test
  void anInfiniteValueReachesOnlyWhatDependsOnIt() {
    SplittableRandom random = new SplittableRandom(seed);
    Set<String> others =
        Set.of("var", "varWithCorrection", "std", "stdWithCorrection", "maskedSelect", "net");
    assertAll(
        "-Dseed=" + seed,
        cases.stream()
            .filter(each -> !each.name().endsWith(".edges"))
            .filter(each -> !each.name().equals("cumprod.zeros"))
            .filter(each -> !others.contains(each.operation()))
            .map(each -> () -> each.checkInfinities(reference, random)));
  }

  @Test
  void onnxRuntimeComputesTheSame() {
    assertAll(
        cases.stream()
            .filter(each -> !each.name().endsWith(".edges"))
            .map(each -> () -> each.compareOnnx(reference)));
  }

  /// But the deviation of a single value, of whose square root ONNX has no derivative.
  @Test
  void anExportedOperationIsLoadedAgain(@TempDir Path folder) {
    assertAll(
        cases.stream()
            .filter(each -> !each.name().endsWith(".edges"))
            .filter(each -> !each.name().equals("stdWithCorrection.one"))
            .map(each -> () -> each.compareLoaded(reference, folder)));
  }

  @Test
  void onnxRuntimeComputesTheDerivativeToo() {
    assertAll(
        cases.stream()
            .filter(each -> !each.name().endsWith(".edges") && !isLeftToJava(each))
            .map(each -> () -> each.compareStep(reference)));
  }

  /// A step with these runs in Java.
  private static boolean isLeftToJava(OperationCase each) {
    return each.operation().equals("cumprod")
        || each.operation().equals("maskedSelect")
        || each.name().startsWith("indexSelect.mask");
  }

  @Test
  void aStepNamesWhatOnnxRuntimeCannotCompute() {
    assertThat(cases)
        .filteredOn(OperationsTest::isLeftToJava)
        .filteredOn(each -> each.hasSlope(reference))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThatIllegalStateException()
                    .isThrownBy(() -> each.compareStep(reference))
                    .withMessageMatching(
                        "cumprod: ONNX has no operator for its derivative; .*"
                            + "|indexSelect: how many values a mask selects depends on .*"));
  }

  @Test
  void everyOperationHasACase() {
    Set<String> operations =
        Arrays.stream(Tensor.class.getMethods())
            .filter(OperationsTest::isOperation)
            .map(Method::getName)
            .collect(Collectors.toSet());
    operations.addAll(
        Arrays.stream(Losses.class.getMethods())
            .filter(method -> method.getReturnType() == Tensor.class)
            .map(Method::getName)
            .toList());
    operations.removeAll(OTHERS);
    assertThat(cases.stream().map(OperationCase::operation)).containsAll(operations);
  }

  /// The methods that compute from tensors, without those that make them of values.
  private static boolean isOperation(Method method) {
    boolean ofTensors =
        !Modifier.isStatic(method.getModifiers())
            || Arrays.asList(method.getParameterTypes()).contains(List.class)
            || Arrays.asList(method.getParameterTypes()).contains(Tensor[].class);
    Class<?> result = method.getReturnType();
    return method.getDeclaringClass() == Tensor.class
        && ofTensors
        && (result == Tensor.class
            || result == List.class
            || result.getEnclosingClass() == Tensor.class);
  }
}
