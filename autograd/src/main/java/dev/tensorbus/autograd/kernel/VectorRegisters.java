// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The vector registers of a core, and the part of a matrix product that they hold.
///
/// @param count the number of registers
/// @param lanes the number of float32 values of a register
public record VectorRegisters(int count, int lanes) {
  /// The registers of kernels that use no vectors.
  static final VectorRegisters NONE = new VectorRegisters(0, 0);

  /// The number of registers that a whole tile needs: 16 for its sums, the others for its operands.
  private static final int WHOLE = 32;

  /// Returns the registers of a machine: 32 on an x86 with AVX-512 and on AArch64, and 16 on
  /// others.
  ///
  /// @param lanes the number of float32 values of the JVM's widest vectors
  /// @param architecture the value of the system property `os.arch`
  public static VectorRegisters of(int lanes, String architecture) {
    boolean many = lanes >= 16 || architecture.equals("aarch64");
    return new VectorRegisters(many ? WHOLE : WHOLE / 2, lanes);
  }

  /// Returns whether the registers hold a whole tile, or only half of its rows.
  public boolean holdWholeTile() {
    return count >= WHOLE;
  }

  /// Returns whether the machine has an instruction that gathers values, as those with eight lanes
  /// or more have.
  public boolean gather() {
    return lanes >= 8;
  }

  /// Returns the number of rows of a product that are computed at once.
  public int tileRows() {
    return holdWholeTile() ? 8 : 4;
  }

  /// Returns the number of columns of a product that are computed at once.
  public int tileColumns() {
    return 2 * lanes;
  }

  /// Returns how much of a core's multiply-adds large products execute, in percent, as measured for
  /// `benchmarks/RESULTS.md`.
  public int percentOfPeak() {
    return holdWholeTile() ? 75 : 80;
  }

  @Override
  public String toString() {
    return "vectors of %d bits in tiles of %d x %d"
        .formatted(lanes * Float.SIZE, tileRows(), tileColumns());
  }
}
