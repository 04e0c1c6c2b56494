// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.step;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import java.util.Collection;
import java.util.regex.Pattern;

/// Explains that a device has too little memory for a step.
public final class OutOfMemory {
  /// Matches what ONNX Runtime's allocators and CUDA say.
  private static final Pattern CAUSE =
      Pattern.compile("(?i)out of memory|failed to allocate|bad.?alloc");

  private static final long MEBIBYTE = 1 << 20;

  private OutOfMemory() {}

  /// Returns an exception that names the sizes if the cause is too little memory, and otherwise the
  /// given one.
  public static RuntimeException explained(
      RuntimeException failure,
      Provider provider,
      Collection<Tensor> state,
      Collection<Tensor> batch) {
    return CAUSE.matcher(String.valueOf(failure.getMessage())).find()
        ? new OnnxException(
            ("%s has too little memory for a step with %s of state, which is stored twice, a batch"
                    + " of %s, and all intermediate results; use smaller batches: %s")
                .formatted(provider, size(state), size(batch), failure.getMessage()),
            failure)
        : failure;
  }

  private static String size(Collection<Tensor> tensors) {
    long bytes =
        tensors.stream().mapToLong(x -> (long) x.shape().elements() * x.dtype().bytes()).sum();
    return (bytes + MEBIBYTE - 1) / MEBIBYTE + " MiB";
  }
}
