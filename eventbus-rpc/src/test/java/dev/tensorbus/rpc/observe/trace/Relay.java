// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.trace;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.vertx.core.Future;
import java.util.List;

/// Calls that the workers of a [TracedWorld] make for each other.
public final class Relay {
  @Remote
  Relay() {}

  @Remote
  static int end(int value) {
    return value + 1;
  }

  @Remote
  int own(int value) {
    return value + 1;
  }

  /// Goes on to the first of these workers, and so on.
  @Remote
  static int pass(List<String> route, int value) {
    return route.isEmpty()
        ? end(value)
        : Rpc.current()
            .rpcSync(route.getFirst(), Relay::pass, route.subList(1, route.size()), value);
  }

  /// Goes on twice, without a thread that waits.
  @Remote
  static Future<Integer> chain(String to, int value) {
    Rpc rpc = Rpc.current();
    return rpc.rpcAsync(to, Relay::end, value)
        .compose(first -> rpc.rpcAsync(to, Relay::end, first));
  }

  /// The span that is current in a method.
  @Remote
  static String currentSpan() {
    return Span.current().getSpanContext().getSpanId();
  }

  /// Has a span of its own around a call.
  @Remote
  static int spanned(String to, int value) {
    Tracer tracer = Rpc.current().shared(Tracer.class, Relay::noTracer);
    Span span = tracer.spanBuilder("own").startSpan();
    try (Scope _ = span.makeCurrent()) {
      return Rpc.current().rpcSync(to, Relay::end, value);
    } finally {
      span.end();
    }
  }

  private static Tracer noTracer() {
    throw new IllegalStateException("the test is to give this worker its tracer");
  }

  @Remote
  static void fail() {
    throw new IllegalStateException("of a test");
  }

  /// Scales by a weight of its worker, here and on the next workers of the route.
  @Remote
  static Tensor forward(List<String> route, Tensor input) {
    Tensor weight = Rpc.current().shared(Weight.class, Weight::new).value;
    Tensor output = input.mul(weight);
    return route.isEmpty()
        ? output
        : Rpc.current()
            .rpcSync(route.getFirst(), Relay::forward, route.subList(1, route.size()), output);
  }

  /// A parameter.
  static final class Weight {
    final Tensor value = Tensor.of(2);

    Weight() {
      value.requiresGrad(true);
    }
  }
}
