// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.GraphLink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The distributed autograd contexts that a worker takes part in, and the one that each thread
/// records in.
public final class Contexts {
  private static final int REMEMBERED_RELEASES = 4096;
  private static final ThreadLocal<@Nullable Recording> CURRENT = new ThreadLocal<>();

  private final Rpc rpc;
  private final Numbers numbers;
  private final Transport transport;
  private final Propagation propagation;
  private final Leases leases;
  private final Map<Long, WorkerContext> parts = new ConcurrentHashMap<>();

  /// Contexts of others that are over: a message that comes late need not bring one back.
  private final Map<Long, Boolean> released =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
          return size() > REMEMBERED_RELEASES;
        }
      };

  /// Holds the contexts of the worker of `rpc`.
  public Contexts(Rpc rpc, Transport transport) {
    this.rpc = rpc;
    this.numbers = new Numbers(rpc.self().id());
    this.transport = transport;
    this.propagation = new Propagation(rpc, transport);
    this.leases = new Leases(rpc, this);
  }

  /// The contexts of this worker.
  public static Contexts of(Rpc rpc) {
    return rpc.shared(
        Contexts.class,
        () -> {
          throw new IllegalStateException(rpc + " has no autograd contexts");
        });
  }

  long nextNumber() {
    return numbers.next();
  }

  Propagation propagation() {
    return propagation;
  }

  /// Opens a context.
  public WorkerContext open() {
    WorkerContext context = new WorkerContext(this, nextNumber());
    parts.put(context.id(), context);
    return context;
  }

  /// Lets this thread record in a context, or in none.
  ///
  /// @return what it recorded in before
  public static @Nullable Recording enter(@Nullable Recording recording) {
    Recording before = CURRENT.get();
    if (recording == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(recording);
    }
    return before;
  }

  /// Runs `body` recording in this context, or in none, whatever this thread records in
  /// otherwise.
  public static <R> R call(@Nullable Recording recording, Supplier<R> body) {
    Recording before = enter(recording);
    try {
      return body.get();
    } finally {
      enter(before);
    }
  }

  /// The context that this thread is bound to, though it may not record now; or null.
  public static @Nullable Recording entered() {
    return CURRENT.get();
  }

  /// The context that calls of this thread belong to, or null: nothing is recorded in [NoGrad].
  public static @Nullable Recording current() {
    return NoGrad.isOn() ? null : CURRENT.get();
  }

  /// This worker's part of a context, or null.
  @Nullable WorkerContext find(long id) {
    return parts.get(id);
  }

  /// This worker's part of a context, made if there is none yet; null if the context is over.
  @Nullable WorkerContext demand(long id) {
    WorkerContext part = parts.get(id);
    if (part != null) {
      return part;
    }
    synchronized (released) {
      return isOver(id)
          ? null
          : parts.computeIfAbsent(id, number -> new WorkerContext(this, number));
    }
  }

  /// Whether a context is known to be over. Who opened it always knows.
  boolean isOver(long id) {
    synchronized (released) {
      return !parts.containsKey(id) && (numbers.areMine(id) || released.containsKey(id));
    }
  }

  /// The context that an arriving message names, or null for none and for one that is over.
  public @Nullable Recording arriving(GraphLink link) {
    return link.context() == 0 || isOver(link.context())
        ? null
        : new Recording(this, link.context());
  }

  /// What the passes of a context left on this worker, by leaf.
  ///
  /// @throws IllegalArgumentException if the context is not known here
  public Map<Tensor, Tensor> gradients(long id) {
    WorkerContext part = parts.get(id);
    Recording current = CURRENT.get();
    if (part == null && current != null && current.id() == id && !isOver(id)) {
      return Map.of(); // it came with this call, and nothing was recorded here
    }
    return requirePart(id, part).gradients();
  }

  /// The part of a context on this worker.
  ///
  /// @throws IllegalArgumentException if the context is not known here
  public WorkerContext context(long id) {
    return requirePart(id, parts.get(id));
  }

  private WorkerContext requirePart(long id, @Nullable WorkerContext part) {
    if (part == null) {
      throw new IllegalArgumentException(
          "no autograd context "
              + id
              + " on "
              + rpc.self()
              + "; it was closed, or no call of it came here");
    }
    return part;
  }

  /// Ends a context on this worker and, through it, on every worker that it reached.
  public void release(long id) {
    WorkerContext part;
    synchronized (released) {
      if (!numbers.areMine(id)) {
        released.put(id, true);
      }
      part = parts.remove(id);
    }
    if (part != null) {
      part.release().forEach(peer -> transport.release(peer, id));
    }
  }

  /// The same for several.
  public void releaseAll(List<Long> ids) {
    ids.forEach(this::release);
  }

  /// Notes that a worker may have a part of this context: it is to hear of the end.
  public void reached(Recording recording, String peer) {
    WorkerContext part = recording.demand();
    if (part == null || !part.addPeer(peer)) {
      transport.release(peer, recording.id());
    }
  }

  /// Gives a context up, since a call to `peer` in it was not answered: nobody knows what became
  /// of its tensors.
  public void breakOff(Recording recording, String peer, Throwable error) {
    reached(recording, peer);
    WorkerContext part = recording.part();
    if (part != null) {
      part.breakOff("a call in it was not answered (" + error.getMessage() + ")", error);
    }
  }

  /// Fails whatever waits for a worker that has left, and ends the contexts that it opened.
  public void workerLost(WorkerInfo gone) {
    String name = gone.name();
    NoSuchWorkerException error = new NoSuchWorkerException(name, name + " left", true);
    for (WorkerContext part : List.copyOf(parts.values())) {
      if (Numbers.giver(part.id()) == gone.id()) {
        release(part.id());
      } else {
        part.workerLost(name, error);
      }
    }
  }

  /// Finds out about contexts that are over though nobody said so. Does not block.
  public void upkeep() {
    leases.renew(parts.values());
  }

  /// Adds to what [Rpc#debugInfo] tells.
  public void describe(Map<String, Long> info) {
    info.put("autograd.contexts", (long) parts.size());
    info.put("autograd.passes", sum(WorkerContext::passes));
    info.put("autograd.sends", sum(WorkerContext::sends));
    info.put("autograd.receives", sum(WorkerContext::receives));
  }

  private long sum(ToLongFunction<WorkerContext> count) {
    return parts.values().stream().mapToLong(count).sum();
  }
}
