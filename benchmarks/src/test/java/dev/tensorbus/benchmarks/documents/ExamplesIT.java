// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.models.text.MadeUpText;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.FreePort;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs the programs of `examples` as their readers do, and counts their lines.
@Tag("long")
class ExamplesIT {
  private static final Path EXAMPLES = Pages.ROOT.resolve("examples");
  private static final Pattern ACCURACY = Pattern.compile("epoch 2 .*accuracy ([0-9.]+)");
  private static final Pattern LOSS = Pattern.compile("epoch 1 {2}loss ([0-9.]+)");

  private static final Pattern PROCESS = Pattern.compile("\\[worker1] .* in process (\\d+)");

  private static final Pattern AUROC = Pattern.compile("epoch 3 .* auroc ([0-9.]+)");

  @TempDir private Path folder;

  private static String source(String file) {
    return Pages.read(EXAMPLES.resolve(file));
  }

  /// The source of an example with 30 epochs instead of four, so that it is still training when the
  /// test kills it.
  private static String longer(String file) {
    String source = source(file);
    assertThat(source).contains(", 4);");
    return source.replace(", 4);", ", 30);");
  }

  private static double number(Pattern pattern, String output) {
    Matcher found = pattern.matcher(output);
    assertThat(found.find()).as(output).isTrue();
    return Double.parseDouble(found.group(1));
  }

  /// The lines without imports, comments and blank lines.
  @ParameterizedTest
  @CsvSource({
    "cnn/src/main/java/cnn/Cnn.java, 50",
    "gpt/src/main/java/gpt/Gpt.java, 60",
    "onnx/src/main/java/onnx/Predict.java, 40",
    "onnx/src/main/java/onnx/Train.java, 40",
    "resnet/src/main/java/resnet/Digits.java, 50",
    "resume/src/main/java/resume/Resume.java, 40",
    "resume/src/main/java/resume/Copies.java, 40",
    "resume/src/main/java/resume/Store.java, 40",
    "table/src/main/java/table/Train.java, 20",
    "table/src/main/java/table/Predict.java, 20",
    "service/src/main/java/service/Main.java, 14",
    "service/src/main/java/service/Service.java, 44",
    "kotlin/src/main/kotlin/Line.kt, 30"
  })
  void anExampleIsOnePage(String file, int most) {
    long lines =
        source(file)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .filter(
                line -> Stream.of("import ", "package ", "//", "/**").noneMatch(line::startsWith))
            .count();
    assertThat(lines).isLessThanOrEqualTo(most);
  }

  @Test
  void twoTrainersTeachANetworkOnAServerToReadDigits() throws Exception {
    Map<String, String> sources = Map.of("cnn/Cnn", source("cnn/src/main/java/cnn/Cnn.java"));
    try (var world = UserWorld.start(sources, folder, 3, "cnn.Cnn")) {
      String output = world.output();
      assertThat(output).contains("[worker0] 8      Linear      weight [10, 800], bias [10]");
      assertThat(number(ACCURACY, output)).isGreaterThan(0.9);
    }
  }

  @Test
  void twoCopiesOfAGptLearnToSpell() throws Exception {
    Path text = folder.resolve("text.txt");
    Files.writeString(text, String.join(" ", MadeUpText.write(4000, new Random(1))));
    Map<String, String> sources = Map.of("gpt/Gpt", source("gpt/src/main/java/gpt/Gpt.java"));
    try (var world = UserWorld.start(sources, folder, 2, "gpt.Gpt", text.toString())) {
      String output = world.output();
      assertThat(number(LOSS, output)).isLessThan(2);
      assertThat(output.split("sample: ", 2)[1]).contains("small", "dog", "<eos>");
    }
  }

  @Test
  void twoCopiesOfAResidualNetworkAreFineTunedForDigits() throws Exception {
    Path trained = folder.resolve("trained.safetensors");
    var options = ResNetOptions.resnet18(1000).forSmallImages();
    new ResNet(options, new Random(1)).state().save(trained);
    Path tuned = folder.resolve("tuned.safetensors");
    Map<String, String> sources =
        Map.of("resnet/Digits", source("resnet/src/main/java/resnet/Digits.java"));
    try (var world =
        UserWorld.start(
            sources, folder, 2, "resnet.Digits", trained.toString(), tuned.toString())) {
      assertThat(number(LOSS, world.output())).isLessThan(1.8);
    }
    assertThat(StateDict.read(tuned).tensors().get("fc.bias").shape()).isEqualTo(Shape.of(10));
  }

  @Test
  void aRunThatIsKilledContinues() throws Exception {
    String checkpoints = folder.resolve("checkpoints").toString();
    Map<String, String> sources =
        Map.of("resume/Resume", longer("resume/src/main/java/resume/Resume.java"));
    try (var first = UserWorld.startAlone(sources, folder, "resume.Resume", checkpoints)) {
      first.await("epoch 1  loss");
    }
    try (var second = UserWorld.startAlone(Map.of(), folder, "resume.Resume", checkpoints)) {
      assertThat(second.output()).contains("an earlier run continues", "epoch 30  loss");
    }
  }

  @Test
  void copiesContinueAfterOneIsKilled() throws Exception {
    String checkpoints = folder.resolve("checkpoints").toString();
    Map<String, String> sources =
        Map.of("resume/Copies", longer("resume/src/main/java/resume/Copies.java"));
    try (var world =
        UserWorld.start(sources, folder, 2, "--restarts", "1", "resume.Copies", checkpoints)) {
      world.await("epoch 1  loss");
      long process = (long) number(PROCESS, world.printed());
      ProcessHandle.of(process).orElseThrow().destroyForcibly();
      assertThat(world.output())
          .contains("worker1 is lost (exit code 137, killed by signal 9); restart 1 of 1")
          .contains("[worker0] an earlier run continues", "[worker1] an earlier run continues")
          .contains("epoch 30  loss");
    }
  }

  @Test
  void trainingGoesOnWhenAParameterServerIsKilled() throws Exception {
    Map<String, String> sources =
        Map.of("resume/Store", longer("resume/src/main/java/resume/Store.java"));
    try (var world = UserWorld.start(sources, folder, 3, "--on-loss", "continue", "resume.Store")) {
      world.await("epoch 1  loss");
      long process = (long) number(PROCESS, world.printed());
      ProcessHandle.of(process).orElseThrow().destroyForcibly();
      assertThat(world.output())
          .contains(
              "worker1 is lost (exit code 137, killed by signal 9); worker0, worker2 continue")
          .containsPattern("worker1 died; worker\\d has taken over \\d+ slots")
          .containsPattern("\\[worker0] .* epoch 30  loss")
          .containsPattern("\\[worker2] .* epoch 30  loss");
    }
  }

  @Test
  void aResidualNetworkPredictsInOnnxRuntime() throws Exception {
    Map<String, String> sources =
        Map.of("onnx/Predict", source("onnx/src/main/java/onnx/Predict.java"));
    try (var program = UserWorld.startAlone(sources, folder, "onnx.Predict")) {
      assertThat(program.output()).containsPattern("pass 6  class \\d  \\d+ images/s");
    }
  }

  @Test
  void aNetworkIsTrainedInOnnxRuntime() throws Exception {
    Map<String, String> sources =
        Map.of("onnx/Train", source("onnx/src/main/java/onnx/Train.java"));
    try (var program = UserWorld.startAlone(sources, folder, "onnx.Train", "cpu")) {
      assertThat(program.output()).contains("compiled a step for inputs [float32 [32, 1, 28, 28]");
      assertThat(number(ACCURACY, program.output())).isGreaterThan(0.9);
    }
  }

  @Test
  void aTableIsLearnedAndPredictsNewRows() throws Exception {
    MadeUpVisitors visitors = MadeUpVisitors.draw(20_000, new Random(1));
    String table = Files.writeString(folder.resolve("visitors.csv"), visitors.csv()).toString();
    String checkpoints = folder.resolve("checkpoints").toString();
    Map<String, String> sources =
        Map.of(
            "table/Train", source("table/src/main/java/table/Train.java"),
            "table/Predict", source("table/src/main/java/table/Predict.java"));
    try (var training = UserWorld.startAlone(sources, folder, "table.Train", table, checkpoints)) {
      assertThat(number(AUROC, training.output())).isGreaterThan(visitors.bestAuroc() - 0.02);
    }
    String rows = "age,income,city,device\n40,50000,Rome,laptop\n70,9000,Lima,phone\n,,Paris,\n";
    String fresh = Files.writeString(folder.resolve("new.csv"), rows).toString();
    try (var prediction =
        UserWorld.startAlone(Map.of(), folder, "table.Predict", fresh, checkpoints)) {
      assertThat(prediction.output())
          .containsPattern("0\\.9\\d+\\R.*0\\.0\\d+\\R.*0\\.[1-9]\\d+\\R");
    }
  }

  @Test
  void aServiceLearnsFromFeedback() throws Exception {
    String port = Integer.toString(FreePort.find());
    String checkpoints = folder.resolve("checkpoints").toString();
    Map<String, String> sources =
        Map.of(
            "service/Main", source("service/src/main/java/service/Main.java"),
            "service/Service", source("service/src/main/java/service/Service.java"));
    try (var world = UserWorld.start(sources, folder, 1, "service.Main", checkpoints, port);
        HttpClient client = HttpClient.newHttpClient()) {
      Example example = StrokeDigits.draw(1, new Random(5)).get(0);
      JsonArray pixels = new JsonArray();
      for (float value : example.input().values()) {
        pixels.add(value);
      }
      var body =
          new JsonObject()
              .put("instances", new JsonArray().add(pixels))
              .put("labels", new JsonArray().add(example.label()));
      URI service = URI.create("http://127.0.0.1:" + port);
      long end = System.nanoTime() + 120_000_000_000L;
      JsonObject prediction;
      do {
        assertThat(System.nanoTime()).as(world.printed()).isLessThan(end);
        HttpResponse<String> answer = post(client, service.resolve("/predictions"), body, world);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        prediction = new JsonObject(answer.body()).getJsonArray("predictions").getJsonObject(0);
        int status = post(client, service.resolve("/feedback"), body, world).statusCode();
        assertThat(status).isIn(202, 503);
      } while (!prediction.getInteger("digit").equals(example.label())
          || prediction.getFloat("probability") < 0.8f);
    }
  }

  /// The answer to a request, which is sent again until somebody listens.
  private static HttpResponse<String> post(
      HttpClient client, URI uri, JsonObject body, UserWorld world)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .POST(HttpRequest.BodyPublishers.ofString(body.encode()))
            .build();
    while (true) {
      try {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
      } catch (ConnectException e) {
        assertThat(world.isAlive()).as(world.printed()).isTrue();
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aLineIsLearntInKotlin() throws Exception {
    try (var world = UserWorld.start(Map.of(), folder, 2, "LineKt")) {
      assertThat(world.output()).containsPattern("step 100 {2}loss (0\\.00|\\d\\.\\d+E-)");
    }
  }
}
