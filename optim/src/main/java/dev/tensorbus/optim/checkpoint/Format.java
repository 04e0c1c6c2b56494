// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.safetensors.Safetensors;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// How contents lie in a folder: tensors as safetensors, the rest in the manifest.
/// docs/checkpoints.md describes it.
final class Format {
  private static final String NAME = "tensorbus checkpoint 1";
  private static final String MODEL = "model";
  private static final String OPTIMIZERS = "optimizers";

  private Format() {}

  static void write(Folder folder, Contents contents) throws IOException {
    long generation = folder.hasManifest() ? generation(folder.readManifest()) + 1 : 1;
    String model = MODEL + "-" + generation + ".safetensors";
    String optimizers = OPTIMIZERS + "-" + generation + ".safetensors";
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    JsonObject groups = new JsonObject();
    contents.optimizers().forEach((name, state) -> groups.put(name, encode(name, state, tensors)));
    Safetensors.write(folder.file(model), contents.model());
    Safetensors.write(folder.file(optimizers), tensors);
    JsonObject manifest =
        new JsonObject()
            .put("format", NAME)
            .put("generation", generation)
            .put(
                "files",
                new JsonObject()
                    .put(model, folder.checksum(model))
                    .put(optimizers, folder.checksum(optimizers)))
            .put(OPTIMIZERS, groups)
            .put("progress", encode(contents.progress()));
    folder.writeManifest(manifest);
    folder.keepOnly(List.of(model, optimizers));
  }

  private static long generation(JsonObject manifest) {
    return manifest.getLong("generation", 0L);
  }

  private static JsonArray encode(String name, OptimizerState state, Map<String, Tensor> tensors) {
    JsonArray groups = new JsonArray();
    int place = 0;
    for (OptimizerState.Group group : state.groups()) {
      JsonArray steps = new JsonArray();
      for (OptimizerState.Memory memory : group.memories()) {
        steps.add(memory.steps());
        String prefix = prefix(name, place++);
        memory.tensors().forEach((key, tensor) -> tensors.put(prefix + key, tensor));
      }
      groups.add(
          new JsonObject().put("settings", SpecJson.encode(group.spec())).put("steps", steps));
    }
    return groups;
  }

  private static String prefix(String optimizer, int place) {
    return optimizer + "." + place + ".";
  }

  private static JsonObject encode(Map<String, Map<String, Double>> progress) {
    JsonObject json = new JsonObject();
    progress.forEach(
        (name, state) -> {
          JsonObject numbers = new JsonObject();
          // JSON has no infinity.
          state.forEach((key, value) -> numbers.put(key, value.toString()));
          json.put(name, numbers);
        });
    return json;
  }

  /// @param specs the settings that optimizers have now, by name
  /// @param isWhole whether there are to be no other optimizers
  static Contents read(Folder folder, Map<String, List<OptimizerSpec>> specs, boolean isWhole)
      throws IOException {
    JsonObject manifest = folder.readManifest();
    if (!NAME.equals(manifest.getValue("format"))) {
      throw new CheckpointException(
          "it is of format \"%s\", expected \"%s\"".formatted(manifest.getValue("format"), NAME));
    }
    JsonObject groups = manifest.getJsonObject(OPTIMIZERS);
    requireNames("optimizers", groups.fieldNames(), specs.keySet(), isWhole);
    Map<String, Tensor> tensors =
        isWhole || !specs.isEmpty() ? tensors(folder, manifest, OPTIMIZERS) : Map.of();
    Map<String, OptimizerState> optimizers = new LinkedHashMap<>();
    specs.forEach(
        (name, now) ->
            optimizers.put(name, optimizer(name, groups.getJsonArray(name), now, tensors)));
    return new Contents(
        tensors(folder, manifest, MODEL), optimizers, progress(manifest.getJsonObject("progress")));
  }

  /// @param isWhole whether there are to be no others than these
  static void requireNames(
      String what, Collection<String> saved, Collection<String> expected, boolean isWhole) {
    Set<String> names = Set.copyOf(saved);
    if (!names.containsAll(expected) || (isWhole && names.size() != expected.size())) {
      throw new CheckpointException(
          "it has the %s %s, expected %s"
              .formatted(what, new TreeSet<>(saved), new TreeSet<>(expected)));
    }
  }

  private static Map<String, Tensor> tensors(Folder folder, JsonObject manifest, String stem)
      throws IOException {
    String name = stem + "-" + generation(manifest) + ".safetensors";
    Long expected = manifest.getJsonObject("files").getLong(name);
    if (expected == null || folder.checksum(name) != expected) {
      throw new CheckpointException(name + " is damaged: it is not what was written");
    }
    return Safetensors.read(folder.file(name));
  }

  private static OptimizerState optimizer(
      String name, JsonArray groups, List<OptimizerSpec> specs, Map<String, Tensor> tensors) {
    if (groups.size() != specs.size()) {
      throw new CheckpointException(
          "%s has %d groups, expected %d".formatted(name, groups.size(), specs.size()));
    }
    List<OptimizerState.Group> read = new ArrayList<>();
    int place = 0;
    for (int i = 0; i < specs.size(); i++) {
      JsonObject group = groups.getJsonObject(i);
      JsonArray steps = group.getJsonArray("steps");
      List<OptimizerState.Memory> memories = new ArrayList<>();
      for (int j = 0; j < steps.size(); j++) {
        Map<String, Tensor> memory = withPrefix(prefix(name, place++), tensors);
        memories.add(new OptimizerState.Memory(steps.getLong(j), memory));
      }
      OptimizerSpec spec = SpecJson.decode(group.getJsonObject("settings"), specs.get(i));
      read.add(new OptimizerState.Group(spec, memories));
    }
    return new OptimizerState(read);
  }

  private static Map<String, Map<String, Double>> progress(JsonObject json) {
    Map<String, Map<String, Double>> progress = new LinkedHashMap<>();
    for (String name : json.fieldNames()) {
      Map<String, Double> state = new LinkedHashMap<>();
      json.getJsonObject(name)
          .forEach(entry -> state.put(entry.getKey(), Double.valueOf((String) entry.getValue())));
      progress.put(name, state);
    }
    return progress;
  }

  /// The tensors whose names begin so, under the rest of their names.
  static Map<String, Tensor> withPrefix(String prefix, Map<String, Tensor> tensors) {
    Map<String, Tensor> found = new LinkedHashMap<>();
    tensors.forEach(
        (name, tensor) -> {
          if (name.startsWith(prefix)) {
            found.put(name.substring(prefix.length()), tensor);
          }
        });
    return found;
  }
}
