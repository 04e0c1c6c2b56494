// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.io.PrintStream;
import java.io.PrintWriter;

/// Your method threw on the other worker, or that worker refused to run it.
public final class RemoteException extends RpcException {
  private static final long serialVersionUID = 1L;

  private final String worker;
  private final String remoteType;
  private final String remoteStack;

  /// Tells what `function` on `worker` threw.
  ///
  /// @param remoteType the class name of what was thrown
  /// @param remoteStack its stack trace over there, as text
  /// @param mayHaveRun whether the method threw, or was never run
  public RemoteException(
      String worker,
      String function,
      String remoteType,
      String message,
      String remoteStack,
      boolean mayHaveRun) {
    super(
        worker + " failed in " + function + ": " + (message.isEmpty() ? remoteType : message),
        null,
        mayHaveRun);
    this.worker = worker;
    this.remoteType = remoteType;
    this.remoteStack = remoteStack;
  }

  /// The worker on which the method ran.
  public String worker() {
    return worker;
  }

  /// The class name of what was thrown there, such as `java.lang.IllegalArgumentException`.
  public String remoteType() {
    return remoteType;
  }

  /// The stack trace on the other worker, as text.
  public String remoteStack() {
    return remoteStack;
  }

  /// Prints this worker's stack, and under it the other worker's.
  @Override
  public void printStackTrace(PrintWriter out) {
    super.printStackTrace(out);
    out.println("on " + worker + ": " + remoteStack.strip());
  }

  /// Prints this worker's stack, and under it the other worker's.
  @Override
  public void printStackTrace(PrintStream out) {
    super.printStackTrace(out);
    out.println("on " + worker + ": " + remoteStack.strip());
  }
}
