// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import dev.tensorbus.verticles.page.Curve.Point;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page of a training over several JVMs, in a browser.
@Tag("long")
class PageIT {
  private static final String NOTICES = text("notices");
  private static final String LEGEND =
      "[...document.querySelectorAll('[data-plot=loss] .legend span')]"
          + ".map((one) => one.textContent)";
  private static final String LABEL =
      "(document.querySelector('[data-plot=loss] .curve')?.getAttribute('aria-label') ?? '')";
  private static final int CHANGES = 5;

  /// A page without its curves' library would be smaller.
  private static final long LEAST_BYTES = 60_000;

  private static final long MOST_BYTES = 250_000;

  private final int port = FreePort.find();

  @TempDir private Path profile;

  @TempDir private Path kept;

  private Path program = Path.of("chromium");

  @BeforeEach
  void findChromium() {
    Optional<Path> found = Chromium.find();
    assumeTrue(found.isPresent(), "no chromium or chromium-browser on the PATH");
    program = found.get();
  }

  @Test
  void aBrowserShowsATrainingEachSecondAndNamesWorkersThatAreSlowSilentOrLost() throws Exception {
    try (Running world = train();
        Chromium browser = open(world)) {
      browser.await(text("size") + " === '3 of 3'");
      browser.await(text("steps") + ".length > 1");
      assertThat(size(browser)).isBetween(LEAST_BYTES, MOST_BYTES);
      awaitChanges(browser, "up");
      awaitChanges(browser, "steps");

      ProcessHandle trainer2 = world.worker(2);
      Process brake = slowDown(trainer2);
      awaitNotice(browser, "trainer2 has not completed a step for ");
      brake.destroyForcibly().onExit().join();

      signal("STOP", trainer2);
      awaitNotice(browser, "trainer2 has not answered for ");
      signal("CONT", trainer2);

      signal("KILL", world.worker(1));
      awaitNotice(browser, "trainer1 is lost (exit code 137, killed by signal 9)");
      browser.await("document.querySelector('.node.lost .name')?.textContent === 'trainer1'");
      browser.await("document.querySelector('#view-world tr.gone')?.textContent.includes('lost')");
      browser.evaluate("document.querySelector('.notice.lost button').click()");
      browser.await("document.querySelector('.notice.lost') === null");
    }
  }

  @Test
  void twoRunsAreLaidOverEachOtherWithTheControlsOfTheirCurves() throws Exception {
    Runs runs = Runs.in(kept);
    runs.save("20261127-101733-mnist.jsonl", run(0.1, 50));
    runs.save("20261127-091502-mnist.jsonl", run(0.03, 100));
    Vertx vertx = Vertx.vertx();
    String url = RunsPage.open(vertx, kept, "127.0.0.1", port).url();
    try (Chromium browser = new Chromium(program, profile, URI.create(url))) {
      browser.await("document.querySelectorAll('#run-list input').length === 2");
      browser.evaluate(
          "document.querySelectorAll('#run-list input').forEach((one) => one.click())");
      browser.await(
          "document.querySelector('#settings tr:has(.differs)')?.textContent === 'lr0.10.03'");

      browser.evaluate("location.hash = 'learning'");
      browser.await(LEGEND + ".join() === '20261127-101733-mnist t1,20261127-091502-mnist t1'");
      browser.await(LABEL + ".includes('now 20261127-101733-mnist t1 0.0200')");
      browser.evaluate("document.querySelector('[name=axis][value=time]').click()");
      browser.evaluate("document.getElementById('log-scale').click()");
      browser.evaluate(
          "{ const one = document.getElementById('smoothing'); one.value = 0.5;"
              + " one.dispatchEvent(new Event('input', { bubbles: true })); }");
      browser.await("!" + LABEL + ".includes('t1 0.0200')");

      press(browser, "+");
      browser.await("!document.getElementById('reset-zoom').disabled");
      browser.evaluate("document.getElementById('reset-zoom').click()");
      browser.await("document.getElementById('reset-zoom').disabled");

      browser.evaluate(
          "URL.createObjectURL = (blob) => { window.saved = blob; return '#learning'; }");
      browser.evaluate("document.querySelector('[aria-label=\"download loss as CSV\"]').click()");
      assertThat(browser.evaluate("window.saved.text()"))
          .asString()
          .startsWith("run,worker,tag,time,step,value\n")
          .contains("20261127-101733-mnist,t1,loss,1970-01-01T00:00:01.000Z,1,1\n")
          .hasLineCount(151);
      browser.evaluate("document.querySelector('[aria-label=\"download loss as PNG\"]').click()");
      browser.await("window.saved.type === 'image/png' && window.saved.size > 1000");
    } finally {
      vertx.close().await();
    }
  }

  /// A run whose loss is 1/step.
  private static String run(double lr, int steps) {
    StringBuilder lines = new StringBuilder();
    JsonObject settings = new JsonObject().put("lr", lr).put("seed", 1);
    JsonObject about = new JsonObject().put("program", "mnist").put("settings", settings);
    lines.append(new JsonObject().put("run", about).encode()).append('\n');
    for (int step = 1; step <= steps; step++) {
      Point point = new Point(1_000L * step, step, 1.0 / step);
      lines.append(Curves.line("t1", "loss", point).encode()).append('\n');
    }
    return lines.toString();
  }

  private static void press(Chromium browser, String key) throws InterruptedException {
    browser.evaluate(
        "document.querySelector('#plots .curve')"
            + ".dispatchEvent(new KeyboardEvent('keydown', { key: '%s' }))".formatted(key));
  }

  private Running train() throws IOException {
    List<String> words = new ArrayList<>(List.of("train", "mnist", "--epochs", "1000"));
    words.addAll(List.of("--page", Integer.toString(port)));
    words.addAll(List.of("--timeout", "240", "--heartbeat-timeout", "240")); // on a busy machine
    return Commands.jar("tensorbus.jar", words.toArray(String[]::new));
  }

  private Chromium open(Running world) throws Exception {
    world.await("page of this world: ");
    return new Chromium(program, profile, URI.create("http://127.0.0.1:" + port + "/"));
  }

  private static String text(String id) {
    return "document.getElementById('" + id + "').textContent";
  }

  /// Bytes that the browser has read, without events.
  private static long size(Chromium browser) throws InterruptedException {
    Object size =
        browser.evaluate(
            "['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))"
                + ".reduce((sum, entry) => sum + entry.transferSize, 0)");
    System.out.printf("PageIT: the page has %s bytes%n", size);
    return ((Number) size).longValue();
  }

  /// Waits until a figure of the page has changed several times.
  private static void awaitChanges(Chromium browser, String id) throws InterruptedException {
    String shown = text(id);
    long begun = System.nanoTime();
    for (int change = 0; change < CHANGES; change++) {
      browser.await(shown + " !== '" + browser.evaluate(shown) + "'");
    }
    System.out.printf("PageIT: %s changed %d times in %.1f s%n", id, CHANGES, secondsSince(begun));
  }

  private static void signal(String name, ProcessHandle to) throws Exception {
    String pid = Long.toString(to.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  /// Lets a process run for a small part of the time, until it or the one that is given ends.
  private static Process slowDown(ProcessHandle one) throws IOException {
    String loop = "while kill -STOP $0; do sleep 1.5; kill -CONT $0; sleep 0.05; done";
    return new ProcessBuilder("sh", "-c", loop, Long.toString(one.pid())).start();
  }

  private static void awaitNotice(Chromium browser, String text) throws InterruptedException {
    long begun = System.nanoTime();
    browser.await("%s.includes('%s')".formatted(NOTICES, text));
    System.out.printf("PageIT: after %.1f s: %s%n", secondsSince(begun), browser.evaluate(NOTICES));
  }

  private static double secondsSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1e9;
  }
}
