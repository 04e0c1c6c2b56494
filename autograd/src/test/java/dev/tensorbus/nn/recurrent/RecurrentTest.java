// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Behaviour of recurrent networks beside torch's results.
final class RecurrentTest {
  private final RecurrentOptions options = RecurrentOptions.of(3, 4).withLayers(2);
  private final Tensor x = Tensor.randn(new SplittableRandom(2), 5, 2, 3);

  @Test
  void parametersHaveTorchsNames() {
    Lstm lstm = new Lstm(options.withBothDirections(), new SplittableRandom(1));
    assertThat(lstm.namedParameters().keySet())
        .startsWith("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        .contains("weight_ih_l0_reverse", "bias_hh_l1_reverse")
        .hasSize(16);
    assertThat(lstm.namedParameters().get("weight_ih_l1").shape().toString()).isEqualTo("[16, 8]");
  }

  @Test
  void parametersStartWithinTorchsBounds() {
    for (Tensor parameter : new Lstm(3, 16, 1, new SplittableRandom(1)).parameters()) {
      for (float value : parameter.values()) {
        assertThat(value).isBetween(-0.25f, 0.25f);
      }
    }
  }

  @Test
  void aStateGoesOnWhereASequenceEnded() {
    Lstm lstm = new Lstm(options, new SplittableRandom(1));
    Lstm.Output first = lstm.forward(x.slice(0, 0, 2));
    Tensor second = lstm.forward(x.slice(0, 2, 5), first.state()).sequence();
    Tensor whole = lstm.forward(x).sequence();
    assertThat(second.values()).containsExactly(whole.slice(0, 2, 5).values());
    assertThat(first.state().hidden().requiresGrad()).isTrue();
    assertThat(first.state().detach().hidden().requiresGrad()).isFalse();
  }

  @Test
  void dropoutLiesBetweenLayersAndInTrainingOnly() {
    Gru gru = new Gru(options.withDropout(0.5f), new SplittableRandom(1));
    Gru same = new Gru(options.withDropout(0.5f), new SplittableRandom(1));
    Tensor first = gru.forward(x).sequence();
    assertThat(first.values()).containsExactly(same.forward(x).sequence().values());
    assertThat(gru.forward(x).sequence().values()).isNotEqualTo(first.values());
    gru.eval();
    Tensor evaluated = gru.forward(x).sequence();
    assertThat(gru.forward(x).sequence().values()).containsExactly(evaluated.values());
    assertThat(evaluated.values()).isNotEqualTo(first.values());
  }

  @Test
  void oneLayerHasNothingToLeaveOut() {
    RecurrentOptions one = RecurrentOptions.of(3, 4).withDropout(0.5f);
    Gru gru = new Gru(one, new SplittableRandom(1));
    assertThat(gru.forward(x).sequence().values())
        .containsExactly(gru.forward(x).sequence().values());
  }

  @Test
  void gradientsReachTheFirstStep() {
    Tensor input = Tensor.parameterOf(x);
    Rnn rnn = new Rnn(options, Rnn.Nonlinearity.TANH, new SplittableRandom(1));
    rnn.forward(input).state().sum().backward();
    assertThat(Objects.requireNonNull(input.grad()).select(0, 0).abs().sum().item()).isPositive();
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Lstm lstm = new Lstm(options, new SplittableRandom(1));
    assertThatThrownBy(() -> lstm.forward(Tensor.zeros(5, 3)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("lstm: [5, 3] is not [steps, batch, 3]");
    Tensor state = Tensor.zeros(1, 2, 4);
    assertThatThrownBy(() -> lstm.forward(x, new Lstm.State(state, state)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("lstm: a state of [1, 2, 4] does not fit, expected [2, 2, 4]");
    assertThatThrownBy(() -> RecurrentOptions.of(0, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("recurrent network: inputs 0, hidden 4, layers 1; expected at least 1 of each");
  }
}
