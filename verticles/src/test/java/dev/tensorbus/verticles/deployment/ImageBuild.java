// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.deployment.Dockerfile.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs the steps of a Dockerfile as a script, where no Docker is: each stage has a folder that
/// stands for its root, and this machine's programs stand for those of its base image.
final class ImageBuild {
  /// Absolute paths of our images.
  private static final String IN_IMAGE = "(?<![\\w./-])/(build|opt/tensorbus)\\b";

  private final Path sources;
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private Path root = Path.of("");
  private Path here = root;

  /// @param sources a clone, of which the tracked files are taken
  /// @param folder holds the stages
  ImageBuild(Path sources, Path folder) {
    this.sources = sources;
    this.folder = folder;
  }

  /// What a container of the image starts with.
  ///
  /// @param root the folder that stands for its root
  record Image(
      Path root, Map<String, String> environment, List<String> entrypoint, List<String> command) {
    /// A word with the image's paths as those of this machine.
    String onThisMachine(String word) {
      return word.replaceAll(IN_IMAGE, root + "/$1");
    }
  }

  Image run(Dockerfile file) throws IOException, InterruptedException {
    for (Step step : file.steps()) {
      run(step);
    }
    return new Image(root, environment, file.last("ENTRYPOINT").words(), file.last("CMD").words());
  }

  private void run(Step step) throws IOException, InterruptedException {
    String arguments = step.arguments();
    switch (step.instruction()) {
      case "FROM" -> begin(arguments.replaceFirst(".* AS ", "").replaceAll("\\W", "_"));
      case "WORKDIR" -> here = Files.createDirectories(root.resolve(arguments.substring(1)));
      case "COPY" -> copy(arguments.split(" ", -1));
      case "RUN" -> shell(here, arguments.replaceAll(IN_IMAGE, root + "/$1"));
      case "ENV" -> {
        String[] variable = arguments.split("=", 2);
        environment.put(variable[0], variable[1]);
      }
      case "USER", "EXPOSE", "ENTRYPOINT", "CMD" -> {}
      default -> throw new IllegalArgumentException("no such step here: " + step);
    }
  }

  private void begin(String stage) throws IOException {
    root = Files.createDirectories(folder.resolve(stage));
    here = root;
    environment.clear();
  }

  private void copy(String[] words) throws IOException, InterruptedException {
    if (words.length == 2) {
      assertThat(words).as("the whole clone").containsExactly(".", ".");
      shell(sources, "git ls-files -z | xargs -0 cp -a --parents -t '" + here + "'");
      return;
    }
    Path from =
        folder.resolve(words[0].substring("--from=".length())).resolve(words[1].substring(1));
    Path to = root.resolve(words[2].substring(1));
    Files.createDirectories(to);
    shell(here, "cp -a '" + from + (Files.isDirectory(from) ? "/." : "") + "' '" + to + "'");
  }

  private static void shell(Path place, String command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).directory(place.toFile());
    String java = System.getProperty("java.home"); // the base image's JDK is the first on its PATH
    builder.environment().put("JAVA_HOME", java);
    builder.environment().put("PATH", java + "/bin:" + System.getenv("PATH"));
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as("%s%n%s", command, output).isZero();
  }
}
