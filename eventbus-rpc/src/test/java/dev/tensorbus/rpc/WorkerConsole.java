// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.testing.ForkedJvm;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The standard input and output of a [CommandWorker]. A command and its outcome begin with the
/// same number.
final class WorkerConsole {
  private final ForkedJvm jvm;
  private final Map<String, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();

  WorkerConsole(ForkedJvm jvm) {
    this.jvm = jvm;
    Thread.ofVirtual().start(() -> listen(jvm.output()));
  }

  private void listen(BufferedReader output) {
    output
        .lines()
        .forEach(
            line -> {
              int space = Math.max(0, line.indexOf(' '));
              CompletableFuture<String> question = asked.remove(line.substring(0, space));
              if (question == null) {
                System.out.println(line);
              } else {
                question.complete(line.substring(space + 1));
              }
            });
  }

  ForkedJvm jvm() {
    return jvm;
  }

  /// Runs a command such as `call worker1`.
  ///
  /// @return its outcome: `ok` and a value, or the class of an error and its message
  CompletableFuture<String> ask(String command) {
    String number = Integer.toString(numbers.incrementAndGet());
    CompletableFuture<String> answer = new CompletableFuture<>();
    asked.put(number, answer);
    try {
      BufferedWriter input = jvm.input();
      input.write(number + " " + command + "\n");
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer;
  }
}
