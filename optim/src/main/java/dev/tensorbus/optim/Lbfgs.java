// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Follows the curvature that the last gradients have shown (Liu and Nocedal, "On the Limited
/// Memory BFGS Method for Large Scale Optimization", 1989): for few parameters and a loss over all
/// data. After `torch.optim.LBFGS` without a line search. Sums are float64.
///
/// A step computes the loss several times, so it calls back. Therefore this is no [OptimizerSpec],
/// and no distributed optimizer runs it. Not for several threads at once.
///
/// ```java
/// var lbfgs = new Lbfgs(net.parameters(), 1);
/// double loss = lbfgs.step(() -> Losses.mseLoss(net.forward(x), y));
/// ```
public final class Lbfgs {
  /// A sum of products below this shows no curvature.
  private static final double LEAST_CURVATURE = 1e-10;

  private final List<Tensor> parameters;
  private final double learningRate;
  private final int maxIterations;
  private final int historySize;
  private final double toleranceGrad;
  private final double toleranceChange;
  private final Deque<Correction> history = new ArrayDeque<>();
  private @Nullable Move last;

  /// How gradients changed along a way, and the inverse of their product.
  private record Correction(double[] gradients, double[] way, double inverse) {}

  /// A move from where there was a gradient.
  private record Move(double[] gradient, double[] way) {}

  /// At this rate, with torch's other settings: 20 iterations, a history of 100.
  public Lbfgs(Collection<Tensor> parameters, double learningRate) {
    this(parameters, learningRate, 20, 100, 1e-7, 1e-9);
  }

  /// Makes an optimizer.
  ///
  /// @param learningRate how far it goes along each direction; the first one is shortened
  /// @param maxIterations in one step
  /// @param historySize how many changes of the gradient it remembers
  /// @param toleranceGrad it stops where no derivative is greater
  /// @param toleranceChange it stops where neither the loss nor a parameter changes by more
  /// @throws IllegalArgumentException if a number is negative, or there are no iterations
  public Lbfgs(
      Collection<Tensor> parameters,
      double learningRate,
      int maxIterations,
      int historySize,
      double toleranceGrad,
      double toleranceChange) {
    if (!(learningRate >= 0 && toleranceGrad >= 0 && toleranceChange >= 0)
        || maxIterations < 1
        || historySize < 1) {
      throw new IllegalArgumentException(
          "lbfgs: learning rate %s, tolerances %s and %s, %d iterations, history of %d; expected 0"
                  .formatted(
                      learningRate, toleranceGrad, toleranceChange, maxIterations, historySize)
              + " or more, and at least 1 iteration and 1 of history");
    }
    this.parameters = List.copyOf(parameters);
    this.learningRate = learningRate;
    this.maxIterations = maxIterations;
    this.historySize = historySize;
    this.toleranceGrad = toleranceGrad;
    this.toleranceChange = toleranceChange;
  }

  /// A loss and its derivatives by all parameters, one after another.
  private record Point(double loss, double[] gradient) {}

  /// Goes down until it has come to an end or has used up its iterations.
  ///
  /// @param loss computes the loss, a scalar, with the parameters' present values
  /// @return the loss before
  public double step(Supplier<Tensor> loss) {
    Point first = point(loss);
    Point present = first;
    for (int iteration = 1; iteration <= maxIterations; iteration++) {
      if (greatest(present.gradient) <= toleranceGrad) {
        break;
      }
      double size = last == null ? Math.min(1, 1 / sizes(present.gradient)) : 1;
      double[] way = direction(present.gradient);
      double slope = dot(present.gradient, way);
      scale(way, size * learningRate);
      last = new Move(present.gradient, way);
      if (slope > -toleranceChange) {
        break;
      }
      move(way);
      if (iteration == maxIterations || greatest(way) <= toleranceChange) {
        break;
      }
      Point next = point(loss);
      boolean stands = Math.abs(next.loss - present.loss) < toleranceChange;
      present = next;
      if (stands) {
        break;
      }
    }
    return first.loss;
  }

  private Point point(Supplier<Tensor> loss) {
    Tensor value = loss.get();
    double[] derivatives = new double[elements()];
    int from = 0;
    List<@Nullable Tensor> gradients =
        Backward.from(value).gradientsOf(parameters.toArray(Tensor[]::new));
    for (int i = 0; i < gradients.size(); i++) {
      Tensor gradient = gradients.get(i);
      int count = parameters.get(i).shape().elements();
      if (gradient != null) {
        System.arraycopy(gradient.to(DType.FLOAT64).doubles(), 0, derivatives, from, count);
      }
      from += count;
    }
    return new Point(value.itemDouble(), derivatives);
  }

  private int elements() {
    return parameters.stream().mapToInt(parameter -> parameter.shape().elements()).sum();
  }

  /// The gradient, turned round and stretched by the inverse of the curvature.
  private double[] direction(double[] gradient) {
    remember(gradient);
    double[] way = gradient.clone();
    scale(way, -1);
    if (history.isEmpty()) {
      return way;
    }
    double[] shares = new double[history.size()];
    Iterator<Correction> backwards = history.descendingIterator();
    for (int i = shares.length - 1; i >= 0; i--) {
      Correction correction = backwards.next();
      shares[i] = correction.inverse * dot(correction.way, way);
      add(way, correction.gradients, -shares[i]);
    }
    Correction newest = history.getLast();
    scale(way, 1 / (newest.inverse * dot(newest.gradients, newest.gradients)));
    int i = 0;
    for (Correction correction : history) {
      double known = correction.inverse * dot(correction.gradients, way);
      add(way, correction.way, shares[i++] - known);
    }
    return way;
  }

  /// Learns from the last move how the gradient changes.
  private void remember(double[] gradient) {
    if (last == null) {
      return;
    }
    double[] change = gradient.clone();
    add(change, last.gradient, -1);
    double product = dot(change, last.way);
    if (product > LEAST_CURVATURE) {
      if (history.size() == historySize) {
        history.removeFirst();
      }
      history.addLast(new Correction(change, last.way, 1 / product));
    }
  }

  private void move(double[] way) {
    int from = 0;
    for (Tensor parameter : parameters) {
      int end = from + parameter.shape().elements();
      double[] part = Arrays.copyOfRange(way, from, end);
      Tensor change = Tensor.ofStorage(parameter.shape(), part);
      NoGrad.run(() -> parameter.replace(present -> present.add(change.to(present.dtype()))));
      from = end;
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static void add(double[] sum, double[] x, double factor) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += factor * x[i];
    }
  }

  private static void scale(double[] x, double factor) {
    for (int i = 0; i < x.length; i++) {
      x[i] *= factor;
    }
  }

  private static double greatest(double... x) {
    return Arrays.stream(x).map(Math::abs).max().orElse(0);
  }

  private static double sizes(double... x) {
    return Arrays.stream(x).map(Math::abs).sum();
  }
}
