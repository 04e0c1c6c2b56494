// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.optim.linesearch.StrongWolfe;
import dev.tensorbus.optim.linesearch.StrongWolfe.Trial;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// L-BFGS, which estimates the curvature from past gradients (Liu and Nocedal, "On the Limited
/// Memory BFGS Method for Large Scale Optimization", 1989). Suited to models with few parameters
/// and a loss over all data. Takes the same steps as `torch.optim.LBFGS`. Computes sums in float64.
///
/// Without a line search, the step size is the learning rate. [#withStrongWolfe] searches along
/// each direction instead, so that the loss never rises; each search typically needs one or two
/// extra evaluations of the loss.
///
/// A step evaluates the loss several times through a callback. Therefore L-BFGS is not an
/// [OptimizerSpec], and no distributed optimizer supports it. Not thread-safe.
///
/// ```java
/// var lbfgs = new Lbfgs(net.parameters(), 1).withStrongWolfe();
/// double loss = lbfgs.step(() -> Losses.mseLoss(net.forward(x), y));
/// ```
public final class Lbfgs {
  /// The curvature is estimated only from dot products above this.
  private static final double LEAST_CURVATURE = 1e-10;

  private final List<Tensor> parameters;
  private final double learningRate;
  private final int maxIterations;
  private final int historySize;
  private final double toleranceGrad;
  private final double toleranceChange;
  private final boolean searches;
  private final Deque<Correction> history = new ArrayDeque<>();
  private @Nullable Move last;

  /// Number of loss evaluations in the current step.
  private int losses;

  /// A change `way` of the parameters, the resulting change `gradients` of the gradient, and the
  /// inverse of their dot product.
  private record Correction(double[] gradients, double[] way, double inverse) {}

  /// A change `way` of the parameters, and the gradient before it.
  private record Move(double[] gradient, double[] way) {}

  /// Creates an optimizer with torch's defaults: 20 iterations, a history of 100.
  public Lbfgs(Collection<Tensor> parameters, double learningRate) {
    this(parameters, learningRate, 20, 100, 1e-7, 1e-9);
  }

  /// Creates an optimizer.
  ///
  /// @param learningRate step size along each direction; the first step may be shorter
  /// @param maxIterations maximum number of iterations per step
  /// @param historySize number of past gradient changes to keep
  /// @param toleranceGrad a step stops if no derivative's absolute value exceeds this
  /// @param toleranceChange a step stops if the loss, or every parameter, changes by less than this
  /// @throws IllegalArgumentException if an argument is negative, or `maxIterations` or
  ///     `historySize` is 0
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
          "lbfgs: learning rate %s, tolerances %s and %s, %d iterations, history of %d; expected a"
                  .formatted(
                      learningRate, toleranceGrad, toleranceChange, maxIterations, historySize)
              + " rate and tolerances of 0 or more, and iterations and a history of 1 or more");
    }
    this.parameters = List.copyOf(parameters);
    this.learningRate = learningRate;
    this.maxIterations = maxIterations;
    this.historySize = historySize;
    this.toleranceGrad = toleranceGrad;
    this.toleranceChange = toleranceChange;
    this.searches = false;
  }

  private Lbfgs(Lbfgs plain) {
    this.parameters = plain.parameters;
    this.learningRate = plain.learningRate;
    this.maxIterations = plain.maxIterations;
    this.historySize = plain.historySize;
    this.toleranceGrad = plain.toleranceGrad;
    this.toleranceChange = plain.toleranceChange;
    this.searches = true;
  }

  /// Returns a new optimizer with the same settings and an empty history. It searches along each
  /// direction, starting with the learning rate as the step size, until the strong Wolfe conditions
  /// hold. Like torch's `line_search_fn="strong_wolfe"`.
  public Lbfgs withStrongWolfe() {
    return new Lbfgs(this);
  }

  /// A loss and its derivatives with respect to all parameters, concatenated.
  private record Point(double loss, double[] gradient) {}

  /// Iterates until convergence, at most `maxIterations` times. Starts no iteration after `1.25 *
  /// maxIterations` evaluations of the loss.
  ///
  /// @param loss computes the loss, a scalar, with the current parameters
  /// @return the loss before the step
  public double step(Supplier<Tensor> loss) {
    losses = 0;
    Point first = point(loss);
    Point present = first;
    for (int iteration = 1; iteration <= maxIterations; iteration++) {
      if (greatest(present.gradient) <= toleranceGrad) {
        break;
      }
      double size = learningRate * (last == null ? Math.min(1, 1 / sizes(present.gradient)) : 1);
      Line line = new Line(loss, direction(present.gradient));
      double slope = dot(present.gradient, line.way);
      last = new Move(present.gradient, scaled(line.way, size));
      if (slope > -toleranceChange) {
        break;
      }
      Point before = present;
      if (searches) {
        Trial found = line.search(present, slope, size);
        last = new Move(present.gradient, scaled(line.way, found.step()));
        present = new Point(found.loss(), found.gradient());
        size = found.step();
      }
      line.move(size);
      if (iteration == maxIterations || greatest(last.way) <= toleranceChange) {
        break;
      }
      if (!searches) {
        present = point(loss);
      }
      if (losses >= maxIterations * 5 / 4
          || Math.abs(present.loss - before.loss) < toleranceChange) {
        break;
      }
    }
    return first.loss;
  }

  /// A line from the current parameters along a direction.
  private final class Line {
    private final Supplier<Tensor> loss;
    private final double[] way;
    private final List<Tensor> start = parameters.stream().map(Tensor::detach).toList();

    Line(Supplier<Tensor> loss, double[] way) {
      this.loss = loss;
      this.way = way;
    }

    /// Searches the line and returns the point found. May leave the parameters at any point of the
    /// line.
    Trial search(Point from, double slope, double size) {
      Trial first = new Trial(0, from.loss, slope, from.gradient);
      return StrongWolfe.search(this::at, first, size, toleranceChange / greatest(way));
    }

    private Trial at(double step) {
      move(step);
      Point point = point(loss);
      return new Trial(step, point.loss, dot(point.gradient, way), point.gradient);
    }

    void move(double step) {
      int from = 0;
      for (int i = 0; i < start.size(); i++) {
        Tensor values = start.get(i);
        int end = from + values.shape().elements();
        double[] part = scaled(Arrays.copyOfRange(way, from, end), step);
        Tensor change = Tensor.of(values.shape(), part).to(values.dtype());
        Tensor parameter = parameters.get(i);
        NoGrad.run(() -> parameter.replace(_ -> values.add(change)));
        from = end;
      }
    }
  }

  private Point point(Supplier<Tensor> loss) {
    losses++;
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

  /// Returns the descent direction: the negative gradient times the inverse Hessian estimate
  /// (two-loop recursion).
  private double[] direction(double[] gradient) {
    remember(gradient);
    double[] way = scaled(gradient, -1);
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
    way = scaled(way, 1 / (newest.inverse * dot(newest.gradients, newest.gradients)));
    int i = 0;
    for (Correction correction : history) {
      double known = correction.inverse * dot(correction.gradients, way);
      add(way, correction.way, shares[i++] - known);
    }
    return way;
  }

  /// Adds the gradient change of the last move to the history if the curvature is large enough.
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

  private static double[] scaled(double[] x, double factor) {
    return Arrays.stream(x).map(value -> value * factor).toArray();
  }

  private static double greatest(double... x) {
    return Arrays.stream(x).map(Math::abs).max().orElse(0);
  }

  private static double sizes(double... x) {
    return Arrays.stream(x).map(Math::abs).sum();
  }
}
