// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Computes the steps of a [RandomGraph] on the workers of their routes.
final class RemoteSteps implements RandomGraph.Steps {
  private final Rpc rpc;

  RemoteSteps(Rpc rpc) {
    this.rpc = rpc;
  }

  @Override
  public Tensor run(RandomGraph.Step step, Tensor x, Tensor y) {
    String op = step.op().name();
    List<String> route = step.route().stream().map(worker -> "worker" + worker).toList();
    return switch (step.way()) {
      case HERE -> step.op().apply(x, y);
      case NESTED -> nested(rpc, op, route, x, y);
      case COMPOSED -> composed(rpc, op, route, x, y).await();
      case REFERENCE -> fetchedTwice(op, route, x, y);
      case RELAYED -> relayed(op, route, x, y);
      case IGNORED -> {
        composed(rpc, op, route, x, y);
        yield x;
      }
      case KEPT -> {
        rpc.rpcSync(route.getFirst(), RemoteSteps::keep, x, y);
        yield x;
      }
    };
  }

  private Tensor fetchedTwice(String op, List<String> route, Tensor x, Tensor y) {
    try (RRef<Tensor> result =
        rpc.remote(route.getFirst(), RemoteSteps::passOn, op, tail(route), x, y)) {
      return result.toHere().add(result.toHere()).scale(0.5);
    }
  }

  private Tensor relayed(String op, List<String> route, Tensor x, Tensor y) {
    try (RRef<Tensor> result =
        rpc.remote(route.getFirst(), RemoteSteps::passOn, op, tail(route), x, y)) {
      return rpc.rpcSync(route.getLast(), RemoteSteps::fetch, result);
    }
  }

  private static Tensor nested(Rpc rpc, String op, List<String> route, Tensor x, Tensor y) {
    return route.isEmpty()
        ? RandomGraph.Op.valueOf(op).apply(x, y)
        : rpc.rpcSync(route.getFirst(), RemoteSteps::passOn, op, tail(route), x, y);
  }

  private static Future<Tensor> composed(
      Rpc rpc, String op, List<String> route, Tensor x, Tensor y) {
    return route.isEmpty()
        ? Future.succeededFuture(RandomGraph.Op.valueOf(op).apply(x, y))
        : rpc.rpcAsync(route.getFirst(), RemoteSteps::passOnLater, op, tail(route), x, y);
  }

  private static List<String> tail(List<String> route) {
    return List.copyOf(route.subList(1, route.size()));
  }

  @Remote
  static Tensor passOn(String op, List<String> route, Tensor x, Tensor y) {
    return SplitProduct.of(nested(Rpc.current(), op, route, x, y), weight(x.dtype()));
  }

  /// A call made in a callback belongs to the context of this one.
  @Remote
  static Future<Tensor> passOnLater(String op, List<String> route, Tensor x, Tensor y) {
    Rpc rpc = Rpc.current();
    return rpc.rpcAsync(rpc.self().name(), RemoteSteps::same, x)
        .compose(same -> composed(rpc, op, route, same, y))
        .map(result -> SplitProduct.of(result, weight(rpc, x.dtype())));
  }

  @Remote
  static Tensor same(Tensor x) {
    return x;
  }

  @Remote
  static Tensor fetch(RRef<Tensor> reference) {
    try (reference) {
      return reference.toHere();
    }
  }

  @Remote
  static void keep(Tensor x, Tensor y) {
    Rpc.current().shared(Kept.class, Kept::new).last = x.add(y);
  }

  /// The gradient of this worker's weight.
  @Remote
  static List<Tensor> weightGradient(DType type, long context) {
    Tensor gradient = DistAutograd.gradients(context).get(weight(type));
    return gradient == null ? List.of() : List.of(gradient);
  }

  private static Tensor weight(DType type) {
    return weight(Rpc.current(), type);
  }

  private static Tensor weight(Rpc rpc, DType type) {
    return rpc.shared(Kept.class, Kept::new)
        .weights
        .computeIfAbsent(type, key -> RandomGraph.weight(key, rpc.self().id()));
  }

  /// The objects that a worker keeps between calls.
  private static final class Kept {
    private final Map<DType, Tensor> weights = new ConcurrentHashMap<>();
    private volatile @Nullable Tensor last;
  }
}
