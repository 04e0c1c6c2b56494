// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.safetensors.Safetensors;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/// The output of a script of `torch/`.
public final class TorchResource {
  private TorchResource() {}

  /// All tensors of `torch/NAME.safetensors`.
  public static Map<String, Tensor> read(String name) {
    String file = "/torch/" + name + ".safetensors";
    try {
      return Safetensors.read(
          Path.of(Objects.requireNonNull(TorchResource.class.getResource(file), file).toURI()));
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
