// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// A computation that the dice draw: what is computed, and on which workers. It gives the same
/// values wherever it is run; see [Steps].
///
/// @param type of all values
/// @param workers how many workers there are; the first runs the graph
/// @param inputs the values of the parameters that it starts from
/// @param steps what is computed, each from the inputs and what was before
/// @param ends the values of which the sum is the loss
record RandomGraph(
    DType type, int workers, List<double[]> inputs, List<Step> steps, List<Integer> ends) {
  private static final int SIZE = 3;

  /// The operations on two values. All keep values of `[-1, 1]` there.
  enum Op {
    MEAN {
      @Override
      Tensor apply(Tensor x, Tensor y) {
        return x.add(y).scale(0.5);
      }
    },
    DIFFERENCE {
      @Override
      Tensor apply(Tensor x, Tensor y) {
        return x.sub(y).scale(0.5);
      }
    },
    PRODUCT {
      @Override
      Tensor apply(Tensor x, Tensor y) {
        return x.mul(y);
      }
    },
    FIRST {
      @Override
      Tensor apply(Tensor x, Tensor y) {
        return x.tanh();
      }
    };

    abstract Tensor apply(Tensor x, Tensor y);
  }

  /// How a step reaches the workers of its route.
  enum Way {
    /// No worker: it is computed where the graph is run.
    HERE,
    /// Each worker asks the next, and all wait.
    NESTED,
    /// The same by methods that return a future.
    COMPOSED,
    /// The result is a reference, which is fetched twice.
    REFERENCE,
    /// The result is a reference, which the last worker of the route fetches.
    RELAYED,
    /// Nobody waits for the result; the step gives its first argument.
    IGNORED,
    /// The arguments are kept there; the step gives its first argument.
    KEPT
  }

  /// One step: `op(x, y)`, times the weight of each worker of the route.
  record Step(Way way, Op op, int x, int y, List<Integer> route) {}

  /// Draws one for two to this many workers.
  static RandomGraph draw(RandomGenerator random, int most) {
    int workers = random.nextInt(2, most + 1);
    DType type = random.nextBoolean() ? DType.FLOAT32 : DType.FLOAT64;
    List<double[]> inputs = list(2, () -> random.doubles(SIZE, -1, 1).toArray());
    List<Step> steps = new ArrayList<>();
    int count = random.nextInt(1, 10);
    for (int step = 0; step < count; step++) {
      steps.add(draw(random, workers, inputs.size() + step));
    }
    int values = inputs.size() + count;
    List<Integer> ends = list(random.nextInt(1, 4), () -> random.nextInt(values));
    return new RandomGraph(type, workers, inputs, steps, ends);
  }

  private static Step draw(RandomGenerator random, int workers, int values) {
    Way way = pick(random, Way.values());
    int hops = way == Way.HERE ? 0 : 1 + random.nextInt(3);
    List<Integer> route = list(hops, () -> random.nextInt(workers));
    Op op = pick(random, Op.values());
    return new Step(way, op, random.nextInt(values), random.nextInt(values), route);
  }

  private static <T> T pick(RandomGenerator random, T[] of) {
    return of[random.nextInt(of.length)];
  }

  private static <T> List<T> list(int size, Supplier<T> each) {
    return Stream.generate(each).limit(size).toList();
  }

  /// The parameters that the graph starts from, made anew.
  List<Tensor> parameters() {
    return inputs.stream().map(values -> parameter(type, values)).toList();
  }

  /// The parameter of a worker that each step which passes there uses.
  static Tensor weight(DType type, int worker) {
    double[] values = new double[SIZE];
    for (int i = 0; i < SIZE; i++) {
      values[i] = 1 - 0.1 * i - 0.05 * worker;
    }
    return parameter(type, values);
  }

  private static Tensor parameter(DType type, double[] values) {
    return Tensor.parameterOf(Tensor.of(Shape.of(SIZE), values).to(type));
  }

  /// The loss.
  Tensor run(List<Tensor> parameters, Steps place) {
    List<Tensor> values = new ArrayList<>(parameters);
    for (Step step : steps) {
      values.add(place.run(step, values.get(step.x()), values.get(step.y())));
    }
    return ends.stream().map(values::get).reduce(Tensor::add).orElseThrow().sum();
  }

  /// Something that computes steps.
  interface Steps {
    /// Does one step.
    Tensor run(Step step, Tensor x, Tensor y);
  }
}
