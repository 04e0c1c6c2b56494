// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// A call as seen by the caller, from start to answer. The event usually starts and ends on
/// different threads.
@Name(CallEvent.NAME)
@Label("Call")
@Category({"Tensorbus", "RPC"})
@StackTrace(false)
@Threshold("1 ms")
public final class CallEvent extends Event {
  /// The name of the event type in a recording.
  public static final String NAME = "dev.tensorbus.Call";

  @Label("Mode")
  String mode = "";

  @Label("Function")
  String function = "";

  @Label("Caller")
  String caller = "";

  @Label("Callee")
  String callee = "";

  @Label("Number among the Caller's Calls to the Callee")
  long number;

  @Label("Start Thread")
  final Thread began = Thread.currentThread();

  private CallEvent() {}

  /// Starts the event of a call made by this thread.
  ///
  /// @return null if no recording is active
  public static @Nullable CallEvent begun() {
    CallEvent event = new CallEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  /// Ends the event.
  ///
  /// @param mode how the call was made: `rpcSync`, `rpcAsync` or `remote`
  /// @param function the class and method
  /// @param number the call's number, 0 if no request was sent
  public void end(String mode, String function, String caller, String callee, long number) {
    end();
    if (shouldCommit()) {
      this.mode = mode;
      this.function = function;
      this.caller = caller;
      this.callee = callee;
      this.number = number;
      commit();
    }
  }
}
