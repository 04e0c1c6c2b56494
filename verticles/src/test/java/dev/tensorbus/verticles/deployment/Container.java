// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.deployment;

import dev.tensorbus.verticles.Commands.Running;
import dev.tensorbus.verticles.deployment.ImageBuild.Image;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A container as a file describes it.
///
/// @param entrypoint replaces that of the image, unless it is empty
/// @param command replaces that of the image, unless it is empty
/// @param environment in addition to that of the image
record Container(List<String> entrypoint, List<String> command, Map<String, String> environment) {
  private static final String PORTS = "29500-29520";
  private static final String HERE = "127.0.0.1";

  /// Starts it as a process of this machine, on which all hosts are one.
  ///
  /// @param ports stand for those of the file
  Running start(Image image, List<String> hosts, String ports) throws IOException {
    List<String> words = new ArrayList<>(entrypoint.isEmpty() ? image.entrypoint() : entrypoint);
    words.addAll(command.isEmpty() && entrypoint.isEmpty() ? image.command() : command);
    words.replaceAll(image::onThisMachine);
    Map<String, String> variables = new HashMap<>(image.environment());
    variables.putAll(environment);
    variables.replaceAll((name, value) -> hosts.contains(value) ? HERE : value);
    variables.replaceAll((name, value) -> value.equals(PORTS) ? ports : value);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().putAll(variables);
    return new Running(builder.start());
  }
}
