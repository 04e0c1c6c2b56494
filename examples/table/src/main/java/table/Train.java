// SPDX-License-Identifier: Apache-2.0
package table;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.table.ColumnTransformer;
import dev.tensorbus.models.data.table.OrdinalEncoder;
import dev.tensorbus.models.data.table.StandardScaler;
import dev.tensorbus.models.data.table.Table;
import dev.tensorbus.models.data.table.TrainTestSplit;
import dev.tensorbus.nn.ColumnEmbedding;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.loss.BceWithLogitsLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.optim.training.metric.Auroc;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Learns from a table of visitors which of them buy.
public final class Train {
  public static void main(String[] args) {
    var table = Table.readCsv(Path.of(args[0]));
    var rows = TrainTestSplit.stratified(table, "bought", 0.2, new Random(1));
    var scaler = StandardScaler.fit(rows.training(), "age", "income");
    var encoder = OrdinalEncoder.fit(rows.training(), "city", "device");
    var columns = new ColumnTransformer(scaler, encoder);
    var training = new Batch(columns.transform(rows.training()), rows.training().tensor("bought"));
    var test = new Batch(columns.transform(rows.test()), rows.test().tensor("bought"));
    Trainer.of(network(columns, new Random(1)), new Adam(0.01), new BceWithLogitsLoss())
        .withMetric(new Auroc())
        .withSettings(columns) // saved beside the model
        .withCheckpoints(new Checkpoints(Path.of(args[1]), 1))
        .fit(DataLoader.of(training, 256).shuffled(1), List.of(test), 3);
  }

  static Sequential network(ColumnTransformer columns, Random random) {
    var embed = new ColumnEmbedding(2, columns.encoder().sizes(), 8, random);
    return new Sequential(embed, new Linear(18, 32, random), new Relu(), new Linear(32, 1, random));
  }
}
