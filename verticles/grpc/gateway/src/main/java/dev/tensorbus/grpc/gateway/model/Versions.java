// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Numbers the states of a model as they are seen here, whoever changes it: trainers on other
/// workers step on it without a word to the gateway.
final class Versions {
  private final Layer model;
  private StateDict last;
  private long version = 1;

  Versions(Layer model) {
    this.model = model;
    this.last = model.state();
  }

  /// A state and its number.
  record Snapshot(long version, StateDict state) {}

  /// The present state. Where somebody steps meanwhile, some parameters are of before and some of
  /// after, as every forward pass sees them.
  synchronized Snapshot now() {
    StateDict present = model.state();
    if (differs(present.tensors(), last.tensors())) {
      last = present;
      version++;
    }
    return new Snapshot(version, last);
  }

  /// Values never change in place, so another array is another version.
  private static boolean differs(Map<String, Tensor> present, Map<String, Tensor> last) {
    return present.entrySet().stream()
        .anyMatch(entry -> isOther(entry.getValue(), last.get(entry.getKey())));
  }

  @SuppressWarnings("ReferenceEquality") // equal values are beside the point
  private static boolean isOther(Tensor present, @Nullable Tensor last) {
    return last == null || present.storage() != last.storage();
  }
}
