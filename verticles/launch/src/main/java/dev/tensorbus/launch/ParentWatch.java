// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

/// Ends a program whose launcher was killed before it could say so, and the processes that it has
/// started: nobody reads their output any more.
public final class ParentWatch {
  private static final String PARENT = "tensorbus.parent";
  private static final long INTERVAL_MILLIS = 500;
  private static final int KILLED = 137;

  private ParentWatch() {}

  /// The option that the parent puts on its child's command line.
  static String flag() {
    return "-D" + PARENT + "=" + ProcessHandle.current().pid();
  }

  /// Watches from now on, if this process was started by one of ours.
  public static void start() {
    Long parent = Long.getLong(PARENT);
    if (parent != null) {
      Thread thread = new Thread(() -> watch(parent), "parent-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /// Asks for the own parent rather than for that process: a killed one may stay as a zombie, but
  /// has no children any more. `ProcessHandle.onExit` looks only every five seconds.
  private static void watch(long parent) {
    try {
      while (ProcessHandle.current().parent().filter(p -> p.pid() == parent).isPresent()) {
        Thread.sleep(INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      return;
    }
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(KILLED);
  }
}
