// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.environment;

import java.util.List;

/// Computes returns: the sums of rewards from which REINFORCE learns.
public final class Returns {
  /// Avoids a division by 0 if all returns are equal: float32 epsilon, as in torch's example.
  private static final double EPS = Math.ulp(1f);

  private Returns() {}

  /// Returns, for each step of an episode, the sum of its reward and all later rewards, discounted
  /// by `gamma` per step.
  public static float[] discounted(List<Float> rewards, double gamma) {
    float[] returns = new float[rewards.size()];
    double sum = 0;
    for (int step = returns.length - 1; step >= 0; step--) {
      sum = rewards.get(step) + gamma * sum;
      returns[step] = (float) sum;
    }
    return returns;
  }

  /// Concatenates the discounted returns of several episodes.
  public static float[] discountedAll(List<List<Float>> episodes, double gamma) {
    float[] returns = new float[episodes.stream().mapToInt(List::size).sum()];
    int end = 0;
    for (List<Float> rewards : episodes) {
      System.arraycopy(discounted(rewards, gamma), 0, returns, end, rewards.size());
      end += rewards.size();
    }
    return returns;
  }

  /// Returns the lowest total reward of any episode, or `Float.MAX_VALUE` if there are no episodes.
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

  /// Normalizes values to mean 0 and standard deviation 1.
  ///
  /// @param values at least two
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
