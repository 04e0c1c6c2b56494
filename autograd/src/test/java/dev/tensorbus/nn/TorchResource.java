// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.safetensors.Safetensors;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// The output of a script of `torch/`.
final class TorchResource {
  private TorchResource() {}

  /// All tensors of `torch/NAME.safetensors`.
  static Map<String, Tensor> read(String name) {
    String file = "/torch/" + name + ".safetensors";
    try {
      return Safetensors.read(
          Path.of(Objects.requireNonNull(TorchResource.class.getResource(file), file).toURI()));
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /// The state that the script put under this name.
  static StateDict state(Map<String, Tensor> tensors, String name) {
    String prefix = name + "/state.";
    Map<String, Tensor> state = new HashMap<>();
    tensors.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            state.put(key.substring(prefix.length()), value);
          }
        });
    return new StateDict(state);
  }
}
