// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.faults;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The references that one worker has, and how often each numbered call has run on it.
final class Shelf {
  private final List<RRef<Tensor>> references = new ArrayList<>();
  private final Map<Integer, Integer> runs = new ConcurrentHashMap<>();

  static Shelf of(Rpc rpc) {
    return rpc.shared(Shelf.class, Shelf::new);
  }

  private static Shelf here(int number) {
    Shelf shelf = of(Rpc.current());
    shelf.runs.merge(number, 1, Integer::sum);
    return shelf;
  }

  /// How often the numbered call has run.
  int runs(int number) {
    return runs.getOrDefault(number, 0);
  }

  synchronized void add(RRef<Tensor> reference) {
    references.add(reference);
  }

  /// One of the references, which stays; null if there is none.
  synchronized @Nullable RRef<Tensor> get(int index) {
    return references.isEmpty() ? null : references.get(index % references.size());
  }

  /// Gives a reference up.
  synchronized void remove(RRef<Tensor> reference) {
    references.remove(reference);
    reference.close();
  }

  synchronized List<RRef<Tensor>> all() {
    return List.copyOf(references);
  }

  synchronized void clear() {
    references.forEach(RRef::close);
    references.clear();
  }

  @Remote
  static int run(int number) {
    here(number);
    return number;
  }

  /// A tensor whose only value is the call's number.
  @Remote
  static Tensor make(int number) {
    here(number);
    return Tensor.of(number);
  }

  @Remote
  static void put(int number, RRef<Tensor> reference) {
    here(number).add(reference);
  }

  @Remote
  static @Nullable RRef<Tensor> take(int number, int index) {
    return here(number).get(index);
  }

  /// Uses a reference that it does not keep.
  @Remote
  static Tensor look(int number, RRef<Tensor> reference) {
    here(number);
    try (reference) {
      return reference.toHere();
    }
  }

  /// Passes a reference on and gives its own up.
  @Remote
  static void relay(int number, String next, int nextNumber, RRef<Tensor> reference) {
    here(number);
    try (reference) {
      Rpc.current().rpcSync(next, Shelf::put, nextNumber, reference);
    }
  }
}
