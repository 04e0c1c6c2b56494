// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.models.data.DataException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenBatchesTest {
  /// 0 to 10 in columns 0 1 2 3 4 and 5 6 7 8 9; 10 is left out.
  private final TokenBatches batches = new TokenBatches(IntStream.range(0, 11).toArray(), 2, 3);

  @Test
  void columnsOfTheTextAreReadSideBySide() {
    List<TokenBatch> all = new ArrayList<>();
    batches.forEach(all::add);
    assertThat(all).hasSize(2).hasSize(batches.size());
    assertThat(all.getFirst().inputs().shape()).isEqualTo(Shape.of(3, 2));
    assertThat(all.getFirst().inputs().longs()).containsExactly(0, 5, 1, 6, 2, 7);
    assertThat(all.getFirst().labels().longs()).containsExactly(1, 6, 2, 7, 3, 8);
    assertThat(all.getLast().inputs().longs()).containsExactly(3, 8);
    assertThat(all.getLast().labels().longs()).containsExactly(4, 9);
    assertThat(all.stream().mapToInt(TokenBatch::size).sum()).isEqualTo(batches.words());
  }

  @Test
  void aBatchIsTheSameEachTime() {
    assertThat(batches.get(1).labels().longs()).isEqualTo(batches.get(1).labels().longs());
  }

  @Test
  void aTextThatIsTooShortIsRefused() {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> new TokenBatches(new int[39], 20, 35))
        .withMessage(
            "a text of 39 words is too short for 20 columns of at least 2; use a longer text or a"
                + " smaller batch");
  }
}
