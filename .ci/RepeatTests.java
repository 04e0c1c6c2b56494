// SPDX-License-Identifier: Apache-2.0
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// Runs all unit tests of a module repeatedly in one JVM, in a different order each time.
///
/// @param arguments the folder of the test classes, and the number of runs
void main(String[] arguments) {
  Path classes = Path.of(arguments[0]);
  if (!Files.isDirectory(classes)) {
    return; // a module without tests
  }
  Launcher launcher = LauncherFactory.create();
  PrintWriter out = new PrintWriter(System.out, true);
  long first = Long.getLong("seed", System.nanoTime());
  boolean isGood = true;
  for (int run = 0; run < Integer.parseInt(arguments[1]); run++) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    launcher.execute(tests(classes, first + run), listener);
    var summary = listener.getSummary();
    long seconds = (summary.getTimeFinished() - summary.getTimeStarted()) / 1000;
    out.printf(
        "run %d with -Dseed=%d: %d tests, %d failed, %d s%n",
        run + 1,
        first + run,
        summary.getTestsStartedCount(),
        summary.getTotalFailureCount(),
        seconds);
    summary.printFailuresTo(out, 30);
    isGood &= summary.getTotalFailureCount() == 0 && summary.getTestsStartedCount() > 0;
  }
  System.exit(isGood ? 0 : 1);
}

private static LauncherDiscoveryRequest tests(Path classes, long seed) {
  return LauncherDiscoveryRequestBuilder.request()
      .selectors(selectClasspathRoots(Set.of(classes)))
      .filters(includeClassNamePatterns(".*Test"))
      .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
      .configurationParameter(
          "junit.jupiter.testclass.order.default", "org.junit.jupiter.api.ClassOrderer$Random")
      .configurationParameter(
          "junit.jupiter.testmethod.order.default", "org.junit.jupiter.api.MethodOrderer$Random")
      .configurationParameter("junit.jupiter.execution.order.random.seed", Long.toString(seed))
      .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
      .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
      .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
      .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
      .configurationParameter("junit.jupiter.execution.parallel.config.fixed.max-pool-size", "2")
      .build();
}
