// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.profiler;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/// A block of a program that a profile shows under a name:
/// `try (var block = RecordFunction.begin("forward")) {…}`. Costs next to nothing while nobody
/// records. After `torch.profiler.record_function`.
public final class RecordFunction implements AutoCloseable {
  private final RecordFunctionEvent event;
  private final AtomicBoolean hasEnd = new AtomicBoolean();

  private RecordFunction(RecordFunctionEvent event) {
    this.event = event;
  }

  /// A block begins on this thread.
  ///
  /// @param name the same for all blocks that are to be added up
  public static RecordFunction begin(String name) {
    return new RecordFunction(RecordFunctionEvent.begun(name));
  }

  /// Has the block end when a future does, in place of [#close], which does nothing then. After
  /// `_call_end_callbacks_on_future` of torch's `record_function`.
  ///
  /// @return the future, to go on with
  /// @throws IllegalStateException if the block has ended, or is to end with another future
  public <T> CompletionStage<T> endWith(CompletionStage<T> future) {
    if (!hasEnd.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "RecordFunction.endWith can only be called once, and not after the end of the block");
    }
    return future.whenComplete((result, error) -> event.commit());
  }

  /// The block ends. Does nothing if it has ended.
  @Override
  public void close() {
    if (hasEnd.compareAndSet(false, true)) {
      event.commit();
    }
  }
}
