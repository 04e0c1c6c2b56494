// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/// Computes all steps of a [RandomGraph] here, with the weights of all workers.
final class LocalSteps implements RandomGraph.Steps {
  private final List<Tensor> weights;

  LocalSteps(DType type, int workers) {
    weights =
        IntStream.range(0, workers).mapToObj(worker -> RandomGraph.weight(type, worker)).toList();
  }

  List<Tensor> weights() {
    return weights;
  }

  @Override
  public Tensor run(RandomGraph.Step step, Tensor x, Tensor y) {
    Tensor result = step.op().apply(x, y);
    for (int worker : step.route().reversed()) {
      result = SplitProduct.of(result, weights.get(worker));
    }
    return switch (step.way()) {
      case IGNORED, KEPT -> x;
      case REFERENCE -> result.add(result).scale(0.5);
      default -> result;
    };
  }
}
