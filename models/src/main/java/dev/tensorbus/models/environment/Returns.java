// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.environment;

import java.util.List;

/// Computes returns: the sums of rewards that REINFORCE learns from.
public final class Returns {
  /// Keeps the division from failing where all returns are equal: the least difference of floats
  /// around 1, as in torch's example.
  private static final double EPS = Math.ulp(1f);

  private Returns() {}

  /// For each step of an episode its reward and all later ones, each step of delay discounted by
  /// `gamma`.
  public static float[] discounted(List<Float> rewards, double gamma) {
    float[] returns = new float[rewards.size()];
    double sum = 0;
    for (int step = returns.length - 1; step >= 0; step--) {
      sum = rewards.get(step) + gamma * sum;
      returns[step] = (float) sum;
    }
    return returns;
  }

  /// The returns of several episodes, one after the other.
  public static float[] discountedAll(List<List<Float>> episodes, double gamma) {
    float[] returns = new float[episodes.stream().mapToInt(List::size).sum()];
    int end = 0;
    for (List<Float> rewards : episodes) {
      System.arraycopy(discounted(rewards, gamma), 0, returns, end, rewards.size());
      end += rewards.size();
    }
    return returns;
  }

  /// The lowest sum of an episode's rewards.
  public static float lowestTotal(List<List<Float>> episodes) {
    float lowest = Float.MAX_VALUE;
    for (List<Float> rewards : episodes) {
      float total = 0;
      for (float reward : rewards) {
        total += reward;
      }
      lowest = Math.min(lowest, total);
    }
    return lowest;
  }

  /// Shifts and scales values to a mean of 0 and a standard deviation of 1.
  ///
  /// @param values two or more
  public static float[] normalised(float... values) {
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    double mean = sum / values.length;
    double squares = 0;
    for (float value : values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = Math.sqrt(squares / (values.length - 1));
    float[] normalised = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      normalised[i] = (float) ((values[i] - mean) / (deviation + EPS));
    }
    return normalised;
  }
}
