// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.forward;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Translation;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import dev.tensorbus.autograd.onnx.runtime.Session;
import dev.tensorbus.autograd.trace.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sessions of one graph. The general session takes the parameters as inputs of each run. While
/// the parameters do not change, a second session has them built in. It is faster, since ONNX
/// Runtime prepares the weights only once, but creating it takes as long as several runs.
final class Sessions implements AutoCloseable {
  /// The number of runs with unchanged parameters after which the parameters are built in.
  private static final int PATIENCE = 4;

  private final Translation.Translated translated;
  private final Provider provider;
  private final Session general;
  private int runs;
  private List<Object> versions = List.of();
  private @Nullable Session fixed;

  Sessions(Translation.Translated translated, Provider provider) {
    this.translated = translated;
    this.provider = provider;
    this.general = new Session(translated.graph(), provider);
  }

  /// Runs the session with built-in parameters if it exists, and otherwise the general one.
  ///
  /// @param feeds a tensor for each input of the graph
  List<Tensor> run(List<Tensor> feeds) {
    Session present = fixedFor(feeds);
    if (present == null) {
      return general.run(feeds);
    }
    List<Tensor> others = new ArrayList<>();
    for (int i = 0; i < feeds.size(); i++) {
      if (!isState(i)) {
        others.add(feeds.get(i));
      }
    }
    try {
      return present.run(others);
    } catch (Session.ClosedException e) {
      return general.run(feeds);
    }
  }

  private boolean isState(int feed) {
    return translated.feeds().get(feed).source() instanceof Value.Source.State;
  }

  private synchronized @Nullable Session fixedFor(List<Tensor> feeds) {
    List<Object> present = new ArrayList<>();
    for (int i = 0; i < feeds.size(); i++) {
      if (isState(i)) {
        present.add(feeds.get(i).heap().array());
      }
    }
    if (!isSame(present)) {
      closeFixed();
      versions = present;
      runs = 0;
    }
    boolean isDue = ++runs > PATIENCE && !present.isEmpty();
    if (isDue && fixed == null) {
      fixed = new Session(translated.graph().withValues(values(feeds)), provider);
    }
    return fixed;
  }

  /// Compares identities: values never change in place, so a new version is a new array.
  @SuppressWarnings("ReferenceEquality")
  private boolean isSame(List<Object> present) {
    for (int i = 0; i < present.size(); i++) {
      if (versions.size() <= i || versions.get(i) != present.get(i)) {
        return false;
      }
    }
    return true;
  }

  private Map<String, Tensor> values(List<Tensor> feeds) {
    Map<String, Tensor> values = new HashMap<>();
    for (int i = 0; i < feeds.size(); i++) {
      if (translated.feeds().get(i).source() instanceof Value.Source.State(String name, _)) {
        values.put(name, feeds.get(i));
      }
    }
    return values;
  }

  private void closeFixed() {
    if (fixed != null) {
      fixed.close();
      fixed = null;
    }
  }

  @Override
  public synchronized void close() {
    closeFixed();
    general.close();
  }
}
