// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/// The execution of a remote method, without the decoding of its arguments and the encoding of its
/// result. For a method that returns a future, the event ends when the method returns.
@Name(MethodEvent.NAME)
@Label("Method")
@Category({"Tensorbus", "RPC"})
@StackTrace(false)
@Threshold("1 ms")
public final class MethodEvent extends Event {
  /// The name of the event type in a recording.
  public static final String NAME = "dev.tensorbus.Method";

  @Label("Function")
  String function = "";

  @Label("Caller")
  String caller = "";

  @Label("Callee")
  String callee = "";

  @Label("Number among the Caller's Calls to the Callee")
  long number;

  private MethodEvent() {}

  /// Starts the event of a method.
  public static MethodEvent begun() {
    MethodEvent event = new MethodEvent();
    event.begin();
    return event;
  }

  /// Ends the event after the method has returned or thrown.
  ///
  /// @param function the class and method
  /// @param number the call's number
  public void end(String function, String caller, String callee, long number) {
    this.function = function;
    this.caller = caller;
    this.callee = callee;
    this.number = number;
    commit();
  }
}
