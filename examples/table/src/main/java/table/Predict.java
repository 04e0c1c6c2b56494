// SPDX-License-Identifier: Apache-2.0
package table;

import dev.tensorbus.models.data.table.ColumnTransformer;
import dev.tensorbus.models.data.table.Table;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import java.nio.file.Path;
import java.util.Random;

/// Predicts with a checkpoint how likely each visitor in a table is to buy. A city that the
/// training did not know, or an empty field, is valid.
public final class Predict {
  public static void main(String[] args) {
    var folder = new Checkpoints(Path.of(args[1]), 1).newest().orElseThrow();
    var columns = Checkpoint.settings(folder, ColumnTransformer.class);
    var network = Train.network(columns, new Random(1));
    new Checkpoint().withModel("model", network).restoreModel(folder);
    var inputs = columns.transform(Table.readCsv(Path.of(args[0])));
    for (float probability : Evaluation.call(() -> network.forward(inputs).sigmoid()).values()) {
      System.out.printf("%.3f%n", probability);
    }
  }
}
