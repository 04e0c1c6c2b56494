// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.profiler;

import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// One run of an operation or its derivative on this thread. By default, only runs of at least 1 ms
/// are recorded. Costs almost nothing while no recording runs.
@Name(OperationEvent.NAME)
@Label("Operation")
@Category({"Tensorbus", "Autograd"})
@StackTrace(false)
@Threshold("1 ms")
public final class OperationEvent extends Event {
  /// The name of the event type in a recording.
  public static final String NAME = "dev.tensorbus.Operation";

  @Label("Operation")
  String operation = "";

  @Label("Input Shapes")
  String shapes = "";

  @Label("Result Memory")
  @DataAmount
  long bytes;

  private OperationEvent() {}

  /// Begins the event of an operation.
  public static OperationEvent begun() {
    OperationEvent event = new OperationEvent();
    event.begin();
    return event;
  }

  /// Ends the event of an operation.
  ///
  /// @param name supplies the name of the [Tensor] method; called only if the event is recorded
  public void end(Supplier<String> name, Tensor[] inputs, Tensor... results) {
    end();
    if (shouldCommit()) {
      operation = name.get();
      shapes = shapes(inputs);
      bytes = bytes(results);
      commit();
    }
  }

  /// Ends the event of a derivative.
  ///
  /// @param function the differentiated function
  /// @param gradients the gradients of its results, null for results without one
  /// @param found the gradients of its inputs
  public void endBackward(
      Object function, @Nullable Tensor[] gradients, @Nullable Tensor... found) {
    end();
    if (shouldCommit()) {
      end(() -> function + "Backward", present(gradients), present(found));
    }
  }

  private static Tensor[] present(@Nullable Tensor... tensors) {
    List<Tensor> present = new ArrayList<>();
    for (Tensor tensor : tensors) {
      if (tensor != null) {
        present.add(tensor);
      }
    }
    return present.toArray(Tensor[]::new);
  }

  /// Formats shapes like torch's `input_shapes`: `[[32, 784], [784, 128]]`.
  private static String shapes(Tensor... tensors) {
    StringJoiner all = new StringJoiner(", ", "[", "]");
    for (Tensor tensor : tensors) {
      all.add(tensor.shape().toString());
    }
    return all.toString();
  }

  private static long bytes(Tensor... tensors) {
    long sum = 0;
    for (Tensor tensor : tensors) {
      sum += tensor.shape().numel() * tensor.dtype().bytes();
    }
    return sum;
  }
}
