// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The format of a checkpoint's contents in a folder: tensors in safetensors files, everything else
/// in the manifest. See docs/checkpoints.md.
final class Format {
  private static final String MODEL = "model";
  private static final String OPTIMIZERS = "optimizers";
  private static final String OPTIMIZER = "optimizer";
  private static final String INITIAL = "initial";
  private static final String STEPS = "steps";

  private Format() {}

  /// Writes contents to a folder that this process has locked.
  ///
  /// @param sequence as in [Manifest]
  static void write(Folder folder, Contents contents, long sequence) throws IOException {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    JsonObject groups = new JsonObject();
    contents.optimizers().forEach((name, state) -> groups.put(name, encode(name, state, tensors)));
    Manifest manifest =
        new Manifest(
            sequence,
            new LinkedHashMap<>(),
            groups,
            encode(contents.progress()),
            new JsonObject(contents.settings()));
    manifest.encode(); // throws before anything changes if the manifest cannot be encoded
    deleteRemains(folder);
    manifest.files().put(MODEL, folder.writeTensors(MODEL, contents.model()));
    manifest.files().put(OPTIMIZERS, folder.writeTensors(OPTIMIZERS, tensors));
    folder.writeManifest(manifest);
    folder.keepOnly(manifest);
  }

  /// Deletes the files of interrupted saves. If the manifest is damaged, keeps the tensor files
  /// until a new manifest exists, since they may be all that is left of a run.
  private static void deleteRemains(Folder folder) throws IOException {
    if (!folder.hasManifest()) {
      folder.deleteRemains();
      return;
    }
    Manifest present;
    try {
      present = folder.readManifest();
    } catch (CheckpointException e) {
      return;
    }
    folder.keepOnly(present);
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
      JsonObject json = new JsonObject().put(OPTIMIZER, RecordJson.encode(group.spec()));
      if (group.initial() != null) {
        json.put(INITIAL, RecordJson.encode(group.initial()));
      }
      groups.add(json.put(STEPS, steps));
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
          // As a string, since JSON has no infinity.
          state.forEach((key, value) -> numbers.put(key, value.toString()));
          json.put(name, numbers);
        });
    return json;
  }

  /// @param specs the optimizers' current settings, by name
  /// @param isWhole whether the folder must not contain other optimizers
  static Contents read(Folder folder, Map<String, List<OptimizerSpec>> specs, boolean isWhole)
      throws IOException {
    Manifest manifest = folder.readManifest();
    JsonObject groups = manifest.optimizers();
    ManifestFields.requireNames("optimizers", groups.fieldNames(), specs.keySet(), isWhole);
    Map<String, Tensor> tensors =
        isWhole || !specs.isEmpty() ? folder.readTensors(manifest.file(OPTIMIZERS)) : Map.of();
    Map<String, OptimizerState> optimizers = new LinkedHashMap<>();
    specs.forEach(
        (name, now) ->
            optimizers.put(
                name, optimizer(name, ManifestFields.array(groups, name), now, tensors)));
    return new Contents(
        folder.readTensors(manifest.file(MODEL)),
        optimizers,
        progress(manifest.progress()),
        manifest.settings().encode());
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
      JsonObject group =
          ManifestFields.require(groups.getValue(i), JsonObject.class, name, "groups");
      List<OptimizerState.Memory> memories = new ArrayList<>();
      for (Object steps : ManifestFields.array(group, STEPS)) {
        Map<String, Tensor> memory = withPrefix(prefix(name, place++), tensors);
        memories.add(new OptimizerState.Memory(ManifestFields.count(steps, STEPS), memory));
      }
      OptimizerSpec like = specs.get(i);
      OptimizerSpec initial =
          group.containsKey(INITIAL)
              ? RecordJson.decode(ManifestFields.object(group, INITIAL), like)
              : null;
      OptimizerSpec spec = RecordJson.decode(ManifestFields.object(group, OPTIMIZER), like);
      read.add(new OptimizerState.Group(spec, initial, memories));
    }
    return new OptimizerState(read);
  }

  private static Map<String, Map<String, Double>> progress(JsonObject json) {
    Map<String, Map<String, Double>> progress = new LinkedHashMap<>();
    for (String name : json.fieldNames()) {
      JsonObject numbers = ManifestFields.object(json, name);
      Map<String, Double> state = new LinkedHashMap<>();
      numbers
          .fieldNames()
          .forEach(key -> state.put(key, Double.valueOf(ManifestFields.text(numbers, key))));
      progress.put(name, state);
    }
    return progress;
  }

  /// Returns the tensors whose names start with a prefix, without the prefix.
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
