// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The services of a compose.yaml.
record ComposeFile(Map<String, Container> services) {
  static ComposeFile read(Path file) throws IOException {
    Map<String, Object> content =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    Map<String, Container> services = new LinkedHashMap<>();
    map(content.get("services"))
        .forEach((name, service) -> services.put(name, container(map(service))));
    return new ComposeFile(services);
  }

  private static Container container(Map<String, ?> service) {
    Map<String, String> environment = new LinkedHashMap<>();
    map(service.get("environment"))
        .forEach((name, value) -> environment.put(name, String.valueOf(value)));
    List<String> command = Dockerfile.strings(((List<?>) service.get("command")).stream());
    return new Container(List.of(), command, environment);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, ?> map(Object value) {
    return (Map<String, ?>) value;
  }
}
