// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.profiler;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/// A named block of a program in a profile: `try (var block = RecordFunction.begin("forward"))
/// {…}`. Costs almost nothing while no recording runs. Like `torch.profiler.record_function`.
public final class RecordFunction implements AutoCloseable {
  private final RecordFunctionEvent event;
  private final AtomicBoolean hasEnd = new AtomicBoolean();

  private RecordFunction(RecordFunctionEvent event) {
    this.event = event;
  }

  /// Begins a block on this thread.
  ///
  /// @param name the name; blocks with equal names are summed up
  public static RecordFunction begin(String name) {
    return new RecordFunction(RecordFunctionEvent.begun(name));
  }

  /// Ends the block when a future completes. After this call, [#close] has no effect. Like
  /// `_call_end_callbacks_on_future` of torch's `record_function`.
  ///
  /// @return the future, for further composition
  /// @throws IllegalStateException if the block has ended, or will end with another future
  public <T> CompletionStage<T> endWith(CompletionStage<T> future) {
    if (!hasEnd.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "RecordFunction.endWith can only be called once, and not after the end of the block");
    }
    return future.whenComplete((result, error) -> event.commit());
  }

  /// Ends the block. Has no effect if it has ended already.
  @Override
  public void close() {
    if (hasEnd.compareAndSet(false, true)) {
      event.commit();
    }
  }
}
