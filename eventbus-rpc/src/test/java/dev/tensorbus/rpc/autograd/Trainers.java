// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// The trainers of a hybrid model: the embedding lives on a server, each trainer has a copy of the
/// dense layer and a part of the examples.
final class Trainers {
  static final int ROWS = 10;
  static final int WIDTH = 4;

  private Trainers() {}

  /// The server's table.
  @Remote
  static Embedding table() {
    return new Embedding(ROWS, WIDTH, new SplittableRandom(5)).withSparse(true);
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
      if (sign == 0) {
        dense.averageGradients(context);
      } else {
        Tensor rows = Tensor.ofLongs(1, 2, rpc.self().id());
        Tensor loss = loss(dense.layer(), table.rpcSync(Embedding::forward, rows), sign);
        Runnable pass = () -> context.backward(loss);
        if (reduces) {
          pass.run();
        } else {
          dense.noSync(pass);
        }
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
      return table.rpcSync(Trainers::gradientOf, context.id());
    }
  }

  @Remote
  static double gradientOf(Embedding table, long context) {
    Tensor weight = table.parameters().getFirst();
    return DistAutograd.gradients(context).get(weight).abs().sum().itemDouble();
  }

  /// A layer with buffers.
  private static final class Normalized extends Layer {
    private final Linear linear;
    private final BatchNorm norm = child("norm", new BatchNorm(3));

    Normalized(int rank) {
      linear = child("linear", dense(rank));
    }

    Tensor forward(Tensor x) {
      return norm.forward(linear.forward(x));
    }
  }

  /// This trainer's examples of a step.
  private static Tensor examples(int rank, int step) {
    return Tensor.randn(new SplittableRandom(100L * rank + step), 6, WIDTH);
  }

  private static Tensor loss(Normalized layer, int rank, int step) {
    Tensor y = layer.forward(examples(rank, step));
    return y.mul(y).mul(y).mean();
  }

  /// Trains by plain backward passes and gives the last gradients, then the state.
  ///
  /// @param examples whether this trainer has some in the last step
  @Remote
  static List<Tensor> train(List<String> trainers, int steps, boolean examples) {
    Rpc rpc = Rpc.current();
    int rank = rpc.self().id();
    var copy = DistributedDataParallel.of(rpc, new Normalized(rank), trainers);
    List<Tensor> gradients = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      copy.layer().parameters().forEach(Tensor::zeroGrad);
      if (examples || step + 1 < steps) {
        loss(copy.layer(), rank, step).backward();
      } else {
        copy.averageGradients();
      }
      gradients.clear();
      for (Tensor parameter : copy.layer().parameters()) {
        Tensor gradient = parameter.grad();
        gradients.add(gradient);
        parameter.replace(old -> old.sub(gradient.scale(0.1)));
      }
    }
    gradients.addAll(copy.layer().state().tensors().values());
    return gradients;
  }

  /// The same on this thread, for all trainers.
  static List<Tensor> trainAll(List<Integer> ranks, int steps) {
    List<Normalized> copies = ranks.stream().map(Normalized::new).toList();
    copies.forEach(copy -> copy.load(copies.getFirst().state()));
    List<Tensor> gradients = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      for (int i = 0; i < ranks.size(); i++) {
        loss(copies.get(i), ranks.get(i), step).scale(1.0 / ranks.size()).backward();
      }
      gradients.clear();
      for (int i = 0; i < copies.getFirst().parameters().size(); i++) {
        int index = i;
        Tensor sum =
            copies.stream()
                .map(copy -> copy.parameters().get(index).grad())
                .reduce(Tensor::add)
                .get();
        gradients.add(sum);
        copies.forEach(
            copy -> {
              copy.parameters().get(index).replace(old -> old.sub(sum.scale(0.1)));
              copy.parameters().get(index).zeroGrad();
            });
      }
    }
    gradients.addAll(copies.getFirst().state().tensors().values());
    return gradients;
  }

  /// The gradients that passes without averaging and one with it leave, and those of all passes
  /// here alone.
  @Remote
  static List<Tensor> accumulate(List<String> trainers) {
    Rpc rpc = Rpc.current();
    int rank = rpc.self().id();
    var copy = DistributedDataParallel.of(rpc, dense(2), trainers);
    copy.noSync(() -> loss(copy.layer(), examples(rank, 0), 1).backward());
    Tensor alone = copy.layer().parameters().getFirst().grad();
    loss(copy.layer(), examples(rank, 1), 1).backward();
    return List.of(alone, copy.layer().parameters().getFirst().grad());
  }

  /// Goes backward when the others may be gone, and gives the error's message.
  @Remote
  static String failing(List<String> trainers) {
    Rpc rpc = Rpc.current();
    var copy = DistributedDataParallel.of(rpc, dense(1), trainers);
    try {
      loss(copy.layer(), examples(1, 0), 1).backward();
      return "no error";
    } catch (RpcException e) {
      return e.getMessage();
    }
  }

  /// Makes a copy and never goes backward.
  @Remote
  static void idle(List<String> trainers) {
    DistributedDataParallel.of(Rpc.current(), dense(1), trainers);
  }

  /// One step's gradient of a table of which each trainer has a copy.
  @Remote
  static Tensor sparseGradient(List<String> trainers, Tensor rows) {
    Rpc rpc = Rpc.current();
    var copy = DistributedDataParallel.of(rpc, table(), trainers);
    try (var context = DistAutograd.context(rpc)) {
      context.backward(copy.layer().forward(rows).sum());
      Tensor gradient = context.gradients().get(copy.layer().parameters().getFirst());
      if (gradient.sparseRows() == null) {
        throw new IllegalStateException("the gradient is laid out");
      }
      return gradient;
    }
  }
}
