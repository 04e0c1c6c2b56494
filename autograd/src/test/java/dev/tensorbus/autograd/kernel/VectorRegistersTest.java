// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tiles of machines that are made up; [JvmTest] runs those of this one.
final class VectorRegistersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          16 | amd64   | 32 | vectors of 512 bits in tiles of 8 x 32
          8  | amd64   | 16 | vectors of 256 bits in tiles of 4 x 16
          4  | amd64   | 16 | vectors of 128 bits in tiles of 4 x 8
          4  | aarch64 | 32 | vectors of 128 bits in tiles of 8 x 8
          """)
  void theTileFitsIntoTheRegisters(int lanes, String architecture, int count, String text) {
    VectorRegisters registers = VectorRegisters.of(lanes, architecture);
    assertThat(registers.count()).isEqualTo(count);
    assertThat(registers).hasToString(text);
    int sums = registers.tileRows() * registers.tileColumns() / lanes;
    assertThat(sums).isEqualTo(count / 2);
  }
}
