// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import dev.tensorbus.verticles.mnist.BlankDigits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tensorbus train mnist --otlp`, as users run it: three processes of one step each.
@Tag("long")
class TracesIT {
  private static final Pattern TREE =
      Pattern.compile("<!-- tree -->\\R```\\R(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  private Running train(String... more) throws IOException {
    BlankDigits.write(folder, "train");
    BlankDigits.write(folder, "t10k");
    List<String> words =
        new ArrayList<>(List.of("train", "mnist", "--data", folder.toString(), "--batch-size"));
    words.addAll(List.of("20", "--master-port", Integer.toString(FreePort.find())));
    words.addAll(List.of("--timeout", "240", "--heartbeat-timeout", "240")); // on a busy machine
    words.addAll(List.of(more));
    return Commands.jar("tensorbus.jar", words.toArray(String[]::new));
  }

  private static String treeOfThePage() throws IOException {
    Matcher tree = TREE.matcher(Files.readString(Path.of("..", "docs", "tracing.md")));
    assertThat(tree.find()).isTrue();
    return tree.group(1);
  }

  @Test
  void aStepOverThreeProcessesHasTheTreeOfThePage() throws Exception {
    try (Collector collector = new Collector();
        Running world = train("--otlp", collector.url())) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output()).doesNotContain("WARNING: ");
      assertThat(collector.trees("step server trainer1")).containsExactly(treeOfThePage());
      assertThat(collector.trees("step server trainer2")).hasSize(1);
    }
  }

  @Test
  void anEpisodeOfCartPoleIsATrace() throws Exception {
    String curve = folder.resolve("curve.png").toString();
    assertThat(trees("step server agent", "cartpole", "--episodes", "2", "--curve", curve))
        .hasSize(2)
        .allMatch(tree -> tree.contains("    Observer.runEpisode server observer1\n"))
        .allMatch(tree -> tree.contains("        Agent.selectAction server agent\n"));
  }

  @Test
  void roundsOfTheBatchProgramAreBelowTheCallThatLetsATrainerTrain() throws Exception {
    assertThat(trees("BatchTrainer.runTrainer client parameter-server", "batch", "--rounds", "2"))
        .hasSize(2)
        .allMatch(tree -> tree.contains("\n    step server trainer"))
        .allMatch(
            tree ->
                tree.contains(
                    "        BatchUpdateParameterServer.updateAndFetchModel server"
                        + " parameter-server\n"));
  }

  @Test
  void aBatchOfTheRnnIsATrace() throws Exception {
    assertThat(trees("step server trainer1", "rnn", "--epochs", "1"))
        .isNotEmpty()
        .anyMatch(tree -> tree.contains("\n  DistributedOptimizer.step server trainer1\n"));
  }

  /// The trees with this root that a program's run gives.
  private static List<String> trees(String root, String... program) throws Exception {
    try (Collector collector = new Collector()) {
      List<String> words = new ArrayList<>(List.of("train"));
      words.addAll(List.of(program));
      words.addAll(List.of("--otlp", collector.url()));
      try (Running world = Commands.jar("tensorbus.jar", words.toArray(String[]::new))) {
        assertThat(world.end()).as(world.output()).isZero();
      }
      return collector.trees(root);
    }
  }

  @Test
  void withoutACollectorEachWorkerSaysSoOnceAndLearns() throws Exception {
    String nobody = "http://127.0.0.1:" + FreePort.find();
    try (Running world = train("--otlp", nobody)) {
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output()).contains("test accuracy ");
      assertThat(world.output().lines())
          .filteredOn(line -> line.contains("spans cannot be sent to " + nobody))
          .as("one of each worker")
          .hasSize(3);
    }
  }
}
