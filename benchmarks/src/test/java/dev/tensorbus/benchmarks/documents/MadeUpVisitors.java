// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.training.metric.Auroc;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// A made-up table of visitors, of whom some buy. The probability of each visitor is known, and
/// thus the best AUROC that a prediction can have.
///
/// @param csv the table, in which some fields are empty
/// @param bestAuroc the AUROC of the known probabilities
record MadeUpVisitors(String csv, double bestAuroc) {
  private static final List<String> CITIES =
      List.of("Rome", "Bonn", "Oslo", "Lima", "Cairo", "Quito", "Perth", "Delhi", "Kyoto", "Accra");
  private static final List<String> DEVICES = List.of("phone", "tablet", "laptop", "television");
  private static final double[] CITY_EFFECTS = {2, -1, 0.5, -2, 1, 0, -0.5, 1.5, -1.5, 0};
  private static final double[] DEVICE_EFFECTS = {-1, 0.3, 1, -0.3};

  static MadeUpVisitors draw(int count, RandomGenerator random) {
    StringBuilder csv = new StringBuilder("age,income,city,device,bought\n");
    float[] probabilities = new float[count];
    float[] bought = new float[count];
    for (int i = 0; i < count; i++) {
      double age = random.nextGaussian();
      double income = random.nextGaussian();
      int city = random.nextInt(CITIES.size());
      int device = random.nextInt(DEVICES.size());
      double logit =
          0.8 * income
              - 0.7 * age * age
              + CITY_EFFECTS[city] * (device == 0 ? 0.5 : 1)
              + DEVICE_EFFECTS[device];
      probabilities[i] = (float) (1 / (1 + Math.exp(-logit)));
      bought[i] = random.nextDouble() < probabilities[i] ? 1 : 0;
      csv.append(field(40 + 12 * age, random)).append(',');
      csv.append(field(30_000 + 9_000 * income, random)).append(',');
      csv.append(CITIES.get(city)).append(',').append(DEVICES.get(device)).append(',');
      csv.append((int) bought[i]).append('\n');
    }
    var auroc = new Auroc();
    auroc.update(Tensor.of(Shape.of(count), probabilities), Tensor.of(Shape.of(count), bought));
    return new MadeUpVisitors(csv.toString(), auroc.compute());
  }

  private static String field(double value, RandomGenerator random) {
    return random.nextInt(200) == 0 ? "" : String.format(Locale.ROOT, "%.2f", value);
  }
}
