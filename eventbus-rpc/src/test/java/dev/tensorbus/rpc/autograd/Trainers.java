// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.nn.DistributedDataParallel;
import java.util.List;
import java.util.SplittableRandom;

/// What trainers of a hybrid model do: the embedding lives on a server, each trainer has a copy
/// of the dense layer and a part of the examples.
final class Trainers {
  static final int ROWS = 10;
  static final int WIDTH = 4;

  private Trainers() {}

  /// The server's table.
  @Remote
  static Embedding table() {
    return new Embedding(ROWS, WIDTH, new SplittableRandom(5));
  }

  /// Each trainer draws another one; all take the first's.
  static Linear dense(int rank) {
    return new Linear(WIDTH, 3, new SplittableRandom(rank));
  }

  static Tensor loss(Linear dense, Tensor embedded, double sign) {
    return dense.forward(embedded).sum().scale(sign);
  }

  /// One step's gradients of the dense layer on this trainer.
  ///
  /// @param sign which examples this trainer has; 0 for none
  /// @param reduces whether gradients are averaged
  @Remote
  static List<Tensor> gradients(
      RRef<Embedding> table, List<String> trainers, double sign, boolean reduces) {
    Rpc rpc = Rpc.current();
    var dense = DistributedDataParallel.of(rpc, dense(rpc.self().id()), trainers);
    try (var context = DistAutograd.context(rpc)) {
      if (sign != 0) {
        Tensor rows = Tensor.ofLongs(1, 2, rpc.self().id());
        Tensor embedded = table.rpcSync(Embedding::forward, rows);
        context.backward(loss(dense.layer(), embedded, sign));
      }
      if (reduces) {
        dense.averageGradients(context);
      }
      return dense.layer().parameters().stream().map(context.gradients()::get).toList();
    }
  }

  /// The sum of the absolute gradients of the server's table that one trainer's step leaves.
  @Remote
  static double tableGradient(RRef<Embedding> table, List<String> trainers, double sign) {
    Rpc rpc = Rpc.current();
    var dense = DistributedDataParallel.of(rpc, dense(rpc.self().id()), trainers);
    try (var context = DistAutograd.context(rpc)) {
      Tensor embedded = table.rpcSync(Embedding::forward, Tensor.ofLongs(1, 2));
      context.backward(loss(dense.layer(), embedded, sign));
      dense.averageGradients(context);
      return table.rpcSync(Trainers::gradientOf, context.id());
    }
  }

  @Remote
  static double gradientOf(Embedding table, long context) {
    Tensor weight = table.parameters().getFirst();
    return DistAutograd.gradients(context).get(weight).abs().sum().itemDouble();
  }

  /// One step's gradient of a table of which each trainer has a copy.
  @Remote
  static Tensor sparseGradient(List<String> trainers, Tensor rows) {
    Rpc rpc = Rpc.current();
    var copy = DistributedDataParallel.of(rpc, table(), trainers);
    try (var context = DistAutograd.context(rpc)) {
      context.backward(copy.layer().forward(rows).sum());
      copy.averageGradients(context);
      Tensor gradient = context.gradients().get(copy.layer().parameters().getFirst());
      if (gradient.sparseRows() == null) {
        throw new IllegalStateException("the gradient is laid out");
      }
      return gradient;
    }
  }
}
