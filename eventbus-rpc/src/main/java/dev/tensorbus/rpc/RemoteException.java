// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.io.PrintStream;
import java.io.PrintWriter;

/// Thrown when the called method threw on the other worker, or that worker rejected the call.
public final class RemoteException extends RpcException {
  private static final long serialVersionUID = 1L;

  private final String worker;
  private final String remoteType;
  private final String remoteStack;

  /// Creates an exception for an error that `function` threw on `worker`.
  ///
  /// @param remoteType the class name of the exception
  /// @param remoteStack the stack trace on that worker, as a string
  /// @param mayHaveRun false if the method never ran
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

  /// Returns the name of the called worker.
  public String worker() {
    return worker;
  }

  /// Returns the class name of the remote exception, such as `java.lang.IllegalArgumentException`.
  public String remoteType() {
    return remoteType;
  }

  /// Returns the stack trace on the other worker, as a string.
  public String remoteStack() {
    return remoteStack;
  }

  /// Prints this worker's stack trace, followed by the other worker's.
  @Override
  public void printStackTrace(PrintWriter out) {
    super.printStackTrace(out);
    out.println("on " + worker + ": " + remoteStack.strip());
  }

  /// Prints this worker's stack trace, followed by the other worker's.
  @Override
  public void printStackTrace(PrintStream out) {
    super.printStackTrace(out);
    out.println("on " + worker + ": " + remoteStack.strip());
  }
}
