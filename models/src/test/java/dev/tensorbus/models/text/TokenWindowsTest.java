// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.Dataset;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TokenWindowsTest {
  private final Characters characters = Characters.of("a cab, a 😀");

  @Test
  void charactersAreNumberedByTheirCodePoints() {
    assertThat(characters.size()).isEqualTo(6);
    Tensor numbers = characters.encode("cab😀");
    assertThat(numbers.longs()).containsExactly(4, 2, 3, 5);
    assertThat(characters.decode(numbers.reshape(2, 2))).isEqualTo("cab😀");
  }

  @Test
  void aCharacterThatIsNotKnownIsNamed() {
    assertThatThrownBy(() -> characters.encode("cad"))
        .hasMessage("the character \"d\" does not occur in the training text; remove it");
  }

  @Test
  void eachWindowHasTheTokenAfterEachOfItsTokens() {
    Dataset<Batch> windows = TokenWindows.of(Tensor.ofLongs(5, 6, 7, 8, 9, 10), 2);
    assertThat(windows.size()).isEqualTo(2);
    Batch both = Batch.concatenate(List.of(windows.get(1), windows.get(0)));
    assertThat(both.inputs().shape().toArray()).containsExactly(2, 2);
    assertThat(both.inputs().longs()).containsExactly(7, 8, 5, 6);
    assertThat(both.targets().longs()).containsExactly(8, 9, 6, 7);
  }

  @Test
  void aTextShorterThanAWindowIsRefused() {
    assertThatThrownBy(() -> TokenWindows.of(Tensor.ofLongs(1, 2), 2))
        .hasMessage(
            "a text of 2 tokens is too short for windows of 2 and the token after them; use a"
                + " longer text");
  }
}
