// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.FFFF_Result;
import org.openjdk.jcstress.infra.results.FF_Result;

/// A version of a table keeps its values while others derive new versions from it.
public class TableVersionRace {
  private static final int[] ROW = {0};

  private TableVersionRace() {}

  private static TableVersion zeros() {
    return TableVersion.of(Tensor.zeros(1, 2));
  }

  private static TableVersion filled(TableVersion version, float value) {
    return version.changed(ROW, 1, (first, end, before, next) -> Arrays.fill(next.floats(), value));
  }

  private static float[] row(TableVersion version) {
    return version.take(ROW).floats();
  }

  /// A reader of the first version sees neither of two changes, in no column.
  @JCStressTest
  @State
  @Outcome(id = "0.0, 0.0, 0.0, 0.0", expect = ACCEPTABLE, desc = "the version keeps its values")
  public static class ReaderAndWriter {
    private final TableVersion version = zeros();

    /// Changes the row twice.
    @Actor
    public void write() {
      filled(filled(version, 1), 2);
    }

    /// Reads the row, and the whole table.
    @Actor
    public void read(FFFF_Result result) {
      float[] row = row(version);
      float[] all = version.dense().floats();
      result.r1 = row[0];
      result.r2 = row[1];
      result.r3 = all[0];
      result.r4 = all[1];
    }
  }

  /// Two changes of one version give two versions, each with its own values.
  @JCStressTest
  @State
  @Outcome(id = "1.0, 2.0", expect = ACCEPTABLE, desc = "each has its own version")
  public static class TwoWriters {
    private final TableVersion version = zeros();

    /// Writes one value.
    @Actor
    public void one(FF_Result result) {
      result.r1 = row(filled(version, 1))[1];
    }

    /// Writes another value.
    @Actor
    public void other(FF_Result result) {
      result.r2 = row(filled(version, 2))[1];
    }
  }
}
