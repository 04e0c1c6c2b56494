// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.profiler;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// One block of a [RecordFunction].
@Name(RecordFunctionEvent.NAME)
@Label("Block")
@Category("Tensorbus")
@StackTrace(false)
public final class RecordFunctionEvent extends Event {
  /// The name of the event type in a recording.
  public static final String NAME = "dev.tensorbus.RecordFunction";

  @Label("Name")
  final String block;

  /// The thread on which the block began; it may end on another one.
  @Label("Begin Thread")
  final Thread began = Thread.currentThread();

  private RecordFunctionEvent(String block) {
    this.block = block;
  }

  static RecordFunctionEvent begun(String name) {
    RecordFunctionEvent event = new RecordFunctionEvent(name);
    event.begin();
    return event;
  }
}
