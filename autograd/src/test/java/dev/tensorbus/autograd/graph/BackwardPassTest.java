// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BackwardPassTest {
  private final List<String> seen = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private final Tensor x = Tensor.parameterOf(Tensor.of(1, 2, 3));

  private BackwardPass pass(Tensor root) {
    return new BackwardPass(List.of(node(root)), this::end, this::schedule);
  }

  private void end(Node end, @Nullable Tensor[] gradients) {
    Tensor gradient = gradients[0];
    seen.add(end + " " + (gradient == null ? "none" : gradient.toString()));
  }

  /// Computes when the test says so.
  private void schedule(BackwardPass pass, Node node, @Nullable Tensor[] gradients) {
    boolean[] needed = node.needed();
    later.add(() -> pass.resume(() -> pass.give(node, needed, node.gradients(gradients, needed))));
  }

  private static Node node(Tensor root) {
    return Objects.requireNonNull(root.gradientEdge().node());
  }

  @Test
  void aScheduleMayComputeFunctionsLater() {
    Tensor y = x.scale(2).neg();
    BackwardPass pass = pass(y);
    pass.resolve(node(y), List.of(Tensor.ones(3)));
    assertThat(seen).isEmpty();
    later.removeFirst().run();
    assertThat(pass.isDone()).isFalse();
    later.removeFirst().run();
    assertThat(seen).containsExactly("leaf [3] Tensor[3][-2.0, -2.0, -2.0]");
    assertThat(pass.isDone()).isTrue();
    assertThat(later).isEmpty();
  }

  @Test
  void aFunctionThatGotNoGradientAnswersWithNoneAndIsNotRun() {
    Tensor y = x.scale(2);
    BackwardPass pass = pass(y);
    pass.resolve(node(y), Collections.singletonList(null));
    assertThat(seen).containsExactly("leaf [3] none");
    assertThat(later).isEmpty();
  }

  @Test
  void onlyUsersCodeCountsAsSuch() {
    Tensor y = x.scale(2);
    Tensor hooked = x.scale(3);
    y.retainGrad();
    assertThat(pass(y).awaitsUserCode()).isFalse();
    hooked.registerHook(gradient -> gradient);
    assertThat(pass(hooked).awaitsUserCode()).isTrue();
  }

  @Test
  void aFunctionThatIsNoPartOfThePassIsRefused() {
    BackwardPass pass = pass(x.scale(2));
    Node other = node(x.scale(3));
    assertThat(pass.awaits(other)).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(() -> pass.resolve(other, List.of(Tensor.ones(3))))
        .withMessage("scale is not awaited in this backward pass");
  }
}
