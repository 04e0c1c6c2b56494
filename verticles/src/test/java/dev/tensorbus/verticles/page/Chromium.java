// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A headless Chromium that shows one page, over the DevTools protocol.
final class Chromium implements AutoCloseable {
  private static final Pattern LISTENS = Pattern.compile("DevTools listening on ws://([^/]+)/");

  /// Ends what hangs. On a busy machine, what takes a second takes ten.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final BlockingQueue<JsonObject> answers = new LinkedBlockingQueue<>();
  private final WebSocket socket;

  /// The program, if this machine has it.
  static Optional<Path> find() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(folder -> Stream.of("chromium", "chromium-browser").map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// @param profile an empty folder for what a browser keeps
  Chromium(Path program, Path profile, URI page) throws IOException, InterruptedException {
    ProcessBuilder start =
        new ProcessBuilder(
            program.toString(),
            "--headless=new",
            "--no-sandbox", // root has none
            "--disable-gpu",
            "--disable-breakpad", // its process would outlive the browser
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            page.toString());
    start.environment().put("TMPDIR", profile.toString());
    start.environment().put("LC_ALL", "en_US.UTF-8"); // some builds have no locale C for numbers
    process = start.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      socket = http.newWebSocketBuilder().buildAsync(page(port()), new Answers()).join();
      while (!isLoaded()) {
        Thread.onSpinWait();
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private String port() throws IOException {
    BufferedReader lines = process.errorReader();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher listens = LISTENS.matcher(line);
      if (listens.find()) {
        Thread.ofVirtual().start(() -> lines.lines().forEach(unread -> {}));
        return listens.group(1);
      }
    }
    throw new IOException("Chromium ended without a port for DevTools");
  }

  /// The address of the page's debugger.
  private URI page(String port) throws IOException, InterruptedException {
    HttpRequest list = HttpRequest.newBuilder(URI.create("http://" + port + "/json/list")).build();
    while (true) {
      Optional<String> address =
          new JsonArray(http.send(list, BodyHandlers.ofString()).body())
              .stream()
                  .map(JsonObject.class::cast)
                  .filter(target -> target.getString("type").equals("page"))
                  .map(target -> target.getString("webSocketDebuggerUrl"))
                  .findFirst();
      if (address.isPresent()) {
        return URI.create(address.get());
      }
    }
  }

  /// At first it shows an empty page of its own, and an answer may get lost when that ends.
  private boolean isLoaded() throws InterruptedException {
    JsonObject none = new JsonObject();
    return ask("location.protocol !== 'about:' && document.readyState === 'complete'")
        .getJsonObject("result", none)
        .getJsonObject("result", none)
        .getBoolean("value", false);
  }

  /// The value of a JavaScript expression, or of its promise.
  Object evaluate(String expression) throws InterruptedException {
    JsonObject answer = ask(expression);
    JsonObject result = answer.getJsonObject("result");
    if (result == null || result.containsKey("exceptionDetails")) {
      throw new AssertionError(expression + " gave " + answer);
    }
    return result.getJsonObject("result").getValue("value");
  }

  private JsonObject ask(String expression) throws InterruptedException {
    JsonObject params =
        new JsonObject()
            .put("expression", expression)
            .put("awaitPromise", true)
            .put("returnByValue", true);
    JsonObject call =
        new JsonObject().put("id", 1).put("method", "Runtime.evaluate").put("params", params);
    socket.sendText(call.encode(), true).join();
    JsonObject answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (answer == null) {
      throw new IllegalStateException("Chromium has not answered " + expression);
    }
    return answer;
  }

  /// Waits until this JavaScript expression is true.
  void await(String condition) throws InterruptedException {
    evaluate(
        """
        new Promise((done) => {
          const look = () => {
            if (%s) {
              done(true);
            } else {
              setTimeout(look, 50);
            }
          };
          look();
        })\
        """
            .formatted(condition));
  }

  /// Puts the parts of a message together.
  private final class Answers implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
      text.append(data);
      if (isLast) {
        answers.add(new JsonObject(text.toString()));
        text.setLength(0);
      }
      return WebSocket.Listener.super.onText(from, data, isLast);
    }
  }

  /// Waits until all of its processes have ended, since they write to the profile until then.
  @Override
  public void close() {
    http.shutdownNow();
    List<ProcessHandle> all =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(one -> one.onExit().join());
  }
}
