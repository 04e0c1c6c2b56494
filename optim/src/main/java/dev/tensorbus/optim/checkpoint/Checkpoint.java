// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.safetensors.SafetensorsException;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.optim.schedule.Resumable;
import dev.tensorbus.rpc.RRef;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// The parts of a run that are saved in a folder, so that another run can resume from them.
///
/// ```java
/// var checkpoint = new Checkpoint()
///     .withModel("encoder", encoder)                 // a layer, or a reference to one
///     .withOptimizer("adam", optimizer)              // local or distributed
///     .withProgress("schedule", scheduler);
/// checkpoint.save(folder);
/// ```
///
/// A program that creates parts with the same names resumes with `checkpoint.restore(folder)`.
/// Other workers may own the parts now: only names, shapes and the order of an optimizer's
/// parameters must match. `restoreModel(folder)` and `restoreParts(folder, "encoder")` restore only
/// some parts.
///
/// Save and restore between steps. Both wait for other workers; do not call them on an event loop.
public final class Checkpoint {
  private final Map<String, ModelPart> model = new LinkedHashMap<>();
  private final Map<String, SavedOptimizer> optimizers = new LinkedHashMap<>();
  private final Map<String, Resumable> progress = new LinkedHashMap<>();
  private JsonObject settings = new JsonObject();

  /// Creates a checkpoint without parts.
  public Checkpoint() {}

  /// Adds a local part of the model.
  public Checkpoint withModel(String name, Layer layer) {
    return add(model, name, ModelPart.here(layer));
  }

  /// Adds a part of the model that another worker may own.
  public Checkpoint withModel(String name, RRef<? extends Layer> layer) {
    return add(model, name, ModelPart.there(layer));
  }

  /// Adds an optimizer of local parameters.
  public Checkpoint withOptimizer(String name, Optimizer optimizer) {
    return add(optimizers, name, SavedOptimizer.here(optimizer));
  }

  /// Adds an optimizer of parameters that other workers may own.
  public Checkpoint withOptimizer(String name, DistributedOptimizer optimizer) {
    return add(optimizers, name, SavedOptimizer.there(optimizer));
  }

  /// Adds a schedule, or any other object that holds progress of the run.
  public Checkpoint withProgress(String name, Resumable resumable) {
    return add(progress, name, resumable);
  }

  /// Adds the settings of the run, such as the sizes of the model's layers, so that a program can
  /// [read][#settings] them and create the model that it restores. Like `save_hyperparameters` of
  /// PyTorch Lightning. A restore does not compare them with those of the running program.
  ///
  /// @param settings a public record of numbers, booleans, strings, enums, and records and lists of
  ///     these
  /// @throws IllegalStateException if settings were added before
  /// @throws CheckpointException if the record cannot be encoded
  public Checkpoint withSettings(Record settings) {
    if (!this.settings.isEmpty()) {
      throw new IllegalStateException(
          "checkpoint: withSettings would replace the settings of an earlier call; call it once");
    }
    this.settings = RecordJson.encode(settings);
    return this;
  }

  /// Reads the settings of a saved checkpoint.
  ///
  /// @param type the class of the record that was saved
  /// @throws CheckpointException if there is no checkpoint, or it is damaged or has no settings of
  ///     this class
  public static <R extends Record> R settings(Path path, Class<R> type) {
    try {
      JsonObject saved = new Folder(path).readManifest().settings();
      if (saved.isEmpty()) {
        throw new CheckpointException("it has no settings; save them with withSettings");
      }
      return RecordJson.decode(saved, type);
    } catch (IOException e) {
      throw new CheckpointException("checkpoint %s: cannot be read (%s)".formatted(path, e), e);
    } catch (CheckpointException e) {
      throw new CheckpointException("checkpoint %s: %s".formatted(path, e.getMessage()), e);
    }
  }

  private <T> Checkpoint add(Map<String, T> parts, String name, T part) {
    if (name.isEmpty() || name.contains(".")) {
      // A dot separates the part's name from its tensors' names.
      throw new IllegalArgumentException(
          "checkpoint: the name \"" + name + "\" is empty or contains a dot");
    }
    if (parts.putIfAbsent(name, part) != null) {
      throw new IllegalArgumentException(
          "checkpoint: part \"" + name + "\" already exists; use another name");
    }
    return this;
  }

  /// Saves all parts. An existing checkpoint in the folder is kept until the new one is complete.
  /// Only one writer may save to a folder at a time. Other files in the folder are not touched.
  ///
  /// @throws CheckpointException if the folder cannot be written, another writer is saving to it,
  ///     or an optimizer's settings cannot be encoded
  /// @throws dev.tensorbus.rpc.RpcException if an owner of a part fails
  public void save(Path path) {
    write(path, contents(), 0);
  }

  /// Returns the current values of all parts.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner of a part fails
  public Contents contents() {
    Contents contents =
        new Contents(
            modelTensors(), new LinkedHashMap<>(), new LinkedHashMap<>(), settings.encode());
    optimizers.forEach((name, saved) -> contents.optimizers().put(name, saved.state().get()));
    progress.forEach((name, resumable) -> contents.progress().put(name, resumable.state()));
    contents.model().values().forEach(Tensor::heap); // a device overwrites what is not read in time
    return contents;
  }

  /// @param sequence as in [Manifest]
  static void write(Path path, Contents contents, long sequence) {
    try {
      Folder.create(path);
      try (WriteLock _ = WriteLock.of(path)) {
        Format.write(new Folder(path), contents, sequence);
      }
    } catch (IOException e) {
      throw new CheckpointException(
          "checkpoint %s: cannot be written (%s); check the folder and its free space"
              .formatted(path, e),
          e);
    } catch (SafetensorsException | CheckpointException e) {
      throw new CheckpointException("checkpoint %s: %s".formatted(path, e.getMessage()), e);
    }
  }

  private Map<String, Tensor> modelTensors() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    model.forEach(
        (name, part) ->
            part.state().tensors().forEach((key, value) -> tensors.put(name + "." + key, value)));
    return tensors;
  }

  /// Restores all parts. Everything is checked before any part is changed.
  ///
  /// @throws CheckpointException if there is no checkpoint, or it is damaged or has different parts
  /// @throws dev.tensorbus.rpc.RpcException if an owner of a part fails
  public void restore(Path path) {
    restore(path, true);
  }

  /// Restores only the parts of the model, for example to fine-tune it or to predict. Ignores the
  /// rest of the folder, and leaves optimizers and progress unchanged.
  ///
  /// @throws CheckpointException if there is no checkpoint, or it is damaged or lacks a part
  /// @throws dev.tensorbus.rpc.RpcException if an owner of a part fails
  public void restoreModel(Path path) {
    Checkpoint asked = new Checkpoint();
    asked.model.putAll(model);
    asked.restore(path, false);
  }

  /// Restores only the parts with these names, which may be parts of the model, optimizers or
  /// progress. Ignores the rest of the folder, and leaves the other parts unchanged.
  ///
  /// @throws IllegalArgumentException if a name belongs to no part
  /// @throws CheckpointException if there is no checkpoint, or it is damaged or lacks one of the
  ///     parts
  /// @throws dev.tensorbus.rpc.RpcException if an owner of a part fails
  public void restoreParts(Path path, String... names) {
    Set<String> asked = new LinkedHashSet<>(List.of(names));
    Set<String> present = new TreeSet<>(model.keySet());
    present.addAll(optimizers.keySet());
    present.addAll(progress.keySet());
    if (!present.containsAll(asked)) {
      throw new IllegalArgumentException(
          "checkpoint: cannot restore %s; available parts: %s".formatted(asked, present));
    }
    Checkpoint some = new Checkpoint();
    for (String name : asked) {
      putIfPresent(name, model, some.model);
      putIfPresent(name, optimizers, some.optimizers);
      putIfPresent(name, progress, some.progress);
    }
    some.restore(path, false);
  }

  private static <T> void putIfPresent(String name, Map<String, T> from, Map<String, T> to) {
    T part = from.get(name);
    if (part != null) {
      to.put(name, part);
    }
  }

  /// @param isWhole whether the folder must contain these parts and no others
  private void restore(Path path, boolean isWhole) {
    Contents contents;
    try {
      contents = Format.read(new Folder(path), specs(), isWhole);
      requireFit(contents, isWhole);
    } catch (IOException e) {
      throw unusable(path, "cannot be read (" + e + ")", e);
    } catch (CheckpointException | SafetensorsException | IllegalArgumentException e) {
      throw unusable(path, String.valueOf(e.getMessage()), e);
    }
    set(contents);
  }

  /// Loads the contents of another checkpoint. Everything is checked before any part is changed.
  ///
  /// @throws CheckpointException if the contents do not match the parts of this checkpoint
  /// @throws dev.tensorbus.rpc.RpcException if an owner of a part fails
  public void load(Contents contents) {
    try {
      ManifestFields.requireNames(
          "optimizers", contents.optimizers().keySet(), optimizers.keySet(), true);
      requireFit(contents, true);
    } catch (ClassCastException | IllegalArgumentException e) {
      throw new CheckpointException("checkpoint: " + e.getMessage(), e);
    }
    set(contents);
  }

  private void set(Contents contents) {
    model.forEach((name, part) -> part.load(part(name, contents)));
    optimizers.forEach((name, saved) -> saved.load().accept(get(contents.optimizers(), name)));
    progress.forEach((name, resumable) -> resumable.load(get(contents.progress(), name)));
  }

  private Map<String, List<OptimizerSpec>> specs() {
    Map<String, List<OptimizerSpec>> specs = new LinkedHashMap<>();
    optimizers.forEach((name, saved) -> specs.put(name, saved.specs().get()));
    return specs;
  }

  private void requireFit(Contents contents, boolean isWhole) {
    Map<String, Tensor> present = modelTensors();
    Set<String> saved = new LinkedHashSet<>(contents.model().keySet());
    saved.removeIf(tensor -> !isWhole && !isOfModel(tensor));
    ManifestFields.requireNames("tensors", saved, present.keySet(), true);
    present.forEach((name, tensor) -> requireKind(name, get(contents.model(), name), tensor));
    model.forEach((name, part) -> part.requireFit(part(name, contents)));
    optimizers.forEach((name, own) -> own.requireFit().accept(get(contents.optimizers(), name)));
    ManifestFields.requireNames(
        "progress", contents.progress().keySet(), progress.keySet(), isWhole);
    progress.forEach(
        (name, resumable) ->
            ManifestFields.requireNames(
                "progress of " + name,
                get(contents.progress(), name).keySet(),
                resumable.state().keySet(),
                true));
  }

  private boolean isOfModel(String tensor) {
    return model.keySet().stream().anyMatch(name -> tensor.startsWith(name + "."));
  }

  private static void requireKind(String name, Tensor saved, Tensor present) {
    String given = OptimizerState.kind(saved);
    String expected = OptimizerState.kind(present);
    if (!given.equals(expected)) {
      throw new CheckpointException("%s is %s, expected %s".formatted(name, given, expected));
    }
  }

  private static StateDict part(String name, Contents contents) {
    return new StateDict(Format.withPrefix(name + ".", contents.model()));
  }

  private static <T> T get(Map<String, T> parts, String name) {
    return Objects.requireNonNull(parts.get(name), name);
  }

  private static CheckpointException unusable(Path path, String reason, Exception cause) {
    return new CheckpointException(
        "checkpoint %s: %s; restore with the parts that were saved, call restoreParts for only some"
                .formatted(path, reason)
            + " of them, or use another folder",
        cause);
  }
}
