// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Numbers the versions of a model. Detects a new version when the state is read, so that trainers
/// that step the model's parameters directly need not report their steps.
final class Versions {
  private final Layer model;
  private StateDict last;
  private long version = 1;

  Versions(Layer model) {
    this.model = model;
    this.last = model.state();
  }

  /// Returns the current version and state. During a step, the state contains some parameters from
  /// before the step and some from after it; a concurrent forward pass would use such a mixture,
  /// too.
  synchronized Version now() {
    StateDict present = model.state();
    if (differs(present.tensors(), last.tensors())) {
      last = present;
      version++;
    }
    return new Version(version, last);
  }

  /// Returns whether a tensor has a new array. Arrays are never modified in place, so a new array
  /// means a new version.
  private static boolean differs(Map<String, Tensor> present, Map<String, Tensor> last) {
    return present.entrySet().stream()
        .anyMatch(entry -> isOther(entry.getValue(), last.get(entry.getKey())));
  }

  @SuppressWarnings("ReferenceEquality") // equal values in a new array are a new version
  private static boolean isOther(Tensor present, @Nullable Tensor last) {
    return last == null || present.heap().array() != last.heap().array();
  }
}
