// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.check.Comparison;
import dev.tensorbus.verticles.check.Twins;
import dev.tensorbus.verticles.mnist.MnistTwins;
import dev.tensorbus.verticles.rnn.RnnTwins;
import dev.tensorbus.verticles.worker.Failure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tensorbus check`: compares the gradients of a program's model in one process and distributed
/// over two workers.
@Command(
    name = "check",
    description =
        "Runs a program's model forward and backward in one process and distributed over two"
            + " workers of this JVM, and reports the largest difference between their gradients."
            + " Fails if it exceeds rounding errors.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  /// The models that can be checked.
  private static final SortedMap<String, Twins.Maker> MODELS =
      new TreeMap<>(Map.of("mnist", MnistTwins::make, "rnn", RnnTwins::make));

  @Parameters(arity = "0..1", paramLabel = "MODEL", description = "mnist or rnn")
  private @Nullable String model;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "seed of the weights and data (default: 1)")
  private long seed = 1;

  @Spec private @Nullable CommandSpec spec;

  CheckCommand() {}

  @Override
  public Integer call() {
    Twins.Maker maker = model == null ? null : MODELS.get(model);
    if (maker == null) {
      throw new UsageException(
          "%s; expected one of: %s; for example tensorbus check mnist"
              .formatted(
                  model == null ? "missing MODEL" : "unknown MODEL " + model,
                  String.join(", ", MODELS.keySet())));
    }
    Comparison comparison = compare(maker);
    Objects.requireNonNull(spec)
        .commandLine()
        .getOut()
        .println(model + ", seed " + seed + ": " + comparison);
    return comparison.isEqual() ? 0 : Failure.FAILED;
  }

  private Comparison compare(Twins.Maker maker) {
    Vertx vertx = Vertx.vertx();
    try {
      RpcOptions world = RpcOptions.worldSize(2);
      Rpc rpc = Rpc.open(vertx, "worker0", world.withRank(0)).await();
      Rpc other = Rpc.open(vertx, "worker1", world.withRank(1)).await();
      Future.all(rpc.ready(), other.ready()).await();
      Comparison comparison = Comparison.of(rpc, maker.make(rpc, other.self().name(), seed));
      Future.join(rpc.leave(), other.leave()).await();
      return comparison;
    } finally {
      vertx.close().await();
    }
  }
}
