// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The values of a layer's parameters under torch's names, such as `conv1.weight`, in the order
/// of registration. After torch's `state_dict`.
public record StateDict(Map<String, Tensor> tensors) {
  /// Keeps the order of the map given.
  public StateDict {
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
  }
}
