// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortRangeTest {
  @Test
  void bothEndsAreInTheRange() {
    assertThat(PortRange.parse("29500-29520")).isEqualTo(new PortRange(29_500, 29_520));
    assertThat(new PortRange(29_500, 29_520)).hasToString("29500-29520");
  }

  @Test
  void everyPortButRankZerosIsACandidate() {
    assertThat(new PortRange(29_500, 29_504).candidates())
        .containsExactlyInAnyOrder(29_501, 29_502, 29_503, 29_504);
    assertThat(PortRange.ANY.candidates()).containsExactly(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"29500", "-", "a-b", "1-2-3", "", "29500-", "99999999999-1"})
  void aTextThatIsNoRangeIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PortRange.parse(text))
        .withMessage(
            "ports \"%s\" are not a range; expected the first and the last, such as 29500-29520",
            text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"29500-29502", "9-8", "0-9", "65530-65536"})
  void aRangeWithoutRoomForAWorkerIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PortRange.parse(text))
        .withMessage(
            "ports %s are not a range of at least 4 from 1 to 65535; each worker of a host needs 3",
            text);
  }
}
