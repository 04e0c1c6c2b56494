// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

/// Ends a program whose launcher was killed, together with the processes that the program has
/// started: nobody reads their output any more.
public final class ParentWatch {
  private static final String PARENT = "tensorbus.parent";
  private static final long INTERVAL_MILLIS = 500;
  private static final int KILLED = 137;

  private ParentWatch() {}

  /// Returns the option that a parent adds to its child's command line.
  static String flag() {
    return "-D" + PARENT + "=" + ProcessHandle.current().pid();
  }

  /// Starts watching, if one of our JVMs started this process.
  public static void start() {
    Long parent = Long.getLong(PARENT);
    if (parent != null) {
      Thread thread = new Thread(() -> watch(parent), "parent-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /// Ends this process and its descendants when its parent has died. Compares the parent's process
  /// id, because a killed launcher may remain as a zombie, but loses its children.
  /// `ProcessHandle.onExit` polls only every five seconds.
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
