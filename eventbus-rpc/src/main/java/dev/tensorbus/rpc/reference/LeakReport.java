// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.LeakCheck;
import dev.tensorbus.rpc.WorkerInfo;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reports which references a worker still holds when it shuts down, and where they were created.
public record LeakReport(WorkerInfo worker) {
  private static final System.Logger LOG = System.getLogger(LeakReport.class.getName());
  private static final String OURS = "dev.tensorbus.rpc.";

  /// Reports the references that are still held.
  ///
  /// @throws IllegalStateException if there are any and `check` is `FAIL`
  public void publish(LeakCheck check, List<HeldFork> held) {
    if (held.isEmpty() || check == LeakCheck.OFF) {
      return;
    }
    String report =
        worker
            + " ends with "
            + held.size()
            + " references open; close each, or open it in a scope:"
            + held.stream().map(LeakReport::line).collect(Collectors.joining());
    if (check == LeakCheck.FAIL) {
      throw new IllegalStateException(report);
    }
    LOG.log(Level.WARNING, report);
  }

  private static String line(HeldFork one) {
    return "\n  RRef " + one.id() + " owned by " + one.owner().info() + place(one.site());
  }

  /// Returns a description of the first stack frame outside Tensorbus.
  private static String place(@Nullable Throwable site) {
    return site == null
        ? ""
        : Arrays.stream(site.getStackTrace())
            .filter(frame -> !frame.getClassName().startsWith(OURS))
            .findFirst()
            .map(frame -> ", created at " + frame)
            .orElse(", created in an answer");
  }
}
