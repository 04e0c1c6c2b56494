// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.LeafGradients;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.graph.pass.AutogradPeers;
import dev.tensorbus.rpc.graph.pass.PassThreads;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.Gradients;
import dev.tensorbus.rpc.wire.message.TraceContext;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The distributed autograd contexts in which a worker takes part.
public final class Contexts {
  private static final int REMEMBERED_RELEASES = 4096;

  private final WorkerInfo self;
  private final IdGenerator ids;
  private final Releases releases;
  private final AutogradPeers calls;
  private final Tracing tracing;
  private final NanoClock clock;
  private final PassThreads threads = new PassThreads();
  private final PassOrigin origin;
  private final Leases leases;
  private final Map<Long, WorkerContext> parts = new ConcurrentHashMap<>();

  /// Contexts that were opened by other workers and are over, each with the reason. Late messages
  /// must not recreate them.
  private final Map<Long, String> released =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > REMEMBERED_RELEASES;
        }
      };

  /// Whether a tensor whose gradient is lost has arrived here.
  private volatile boolean hasLost;

  /// Creates the contexts of a worker.
  public Contexts(
      Peers peers, AutogradPeers calls, PassWait wait, Tracing tracing, NanoClock clock) {
    this.self = peers.self().sender().info();
    this.ids = new IdGenerator(self.id());
    this.releases = new Releases(peers);
    this.calls = calls;
    this.tracing = tracing;
    this.clock = clock;
    this.origin = new PassOrigin(self.name(), ids, wait, tracing);
    this.leases =
        new Leases(peers, calls, id -> release(id, "the worker that opened it closed it"));
  }

  /// Returns the contexts of a worker.
  public static Contexts of(Rpc rpc) {
    return rpc.shared(
        Contexts.class,
        () -> {
          throw new IllegalStateException(rpc + " has no autograd contexts");
        });
  }

  /// Returns the name of this worker.
  String self() {
    return self.name();
  }

  long nextId() {
    return ids.next();
  }

  /// Opens a context.
  public WorkerContext open() {
    WorkerContext context = part(nextId());
    parts.put(context.id(), context);
    return context;
  }

  private WorkerContext part(long id) {
    return new WorkerContext(id, self.name(), calls, threads, tracing, clock);
  }

  /// Runs a backward pass from these losses over every worker of the context. Blocks until every
  /// gradient is computed and the actions registered on this worker's leaves are done.
  ///
  /// @throws RpcException if a worker fails, leaves, or does not answer in time
  public void backward(WorkerContext context, List<Tensor> losses) {
    List<Consumer<LeafGradients>> _ = context.graph().takeAfter(); // discard those of failed passes
    origin.backward(context, losses);
    context.graph().takeAfter().forEach(action -> action.accept(context.graph()));
  }

  /// Handles a message of a pass.
  Future<List<Gradients>> receiveGradients(
      String from,
      long context,
      long pass,
      @Nullable TraceContext trace,
      List<Gradients> gradients) {
    return threads.adaptively(
        () -> {
          // The pass may arrive before the call that introduces the context here.
          WorkerContext part = getOrCreate(context);
          return part == null
              ? Future.failedFuture(over(context))
              : part.receiveGradients(from, pass, trace, gradients);
        });
  }

  /// Returns whether this worker opened a context and has closed it.
  boolean hasClosed(long id) {
    return ids.isOwn(id) && !parts.containsKey(id);
  }

  /// Returns this worker's part of a context, or null.
  @Nullable WorkerContext find(long id) {
    return parts.get(id);
  }

  /// Returns this worker's part of a context, creating it if necessary, or null if the context is
  /// over.
  @Nullable WorkerContext getOrCreate(long id) {
    WorkerContext part = parts.get(id);
    if (part != null) {
      return part;
    }
    synchronized (released) {
      return isOver(id) ? null : parts.computeIfAbsent(id, this::part);
    }
  }

  /// Returns whether a context is known here to be over. The worker that opened it always knows.
  boolean isOver(long id) {
    synchronized (released) {
      return !parts.containsKey(id) && (ids.isOwn(id) || released.containsKey(id));
    }
  }

  /// Returns the error for a pass of a context that is over here. The pass must fail, because its
  /// origin may wait for gradients that this worker has discarded.
  private IllegalStateException over(long id) {
    String why;
    synchronized (released) {
      why = released.getOrDefault(id, "it was closed");
    }
    return new IllegalStateException(
        "autograd context %d is over on %s, which the pass needs: %s"
            .formatted(id, self.name(), why));
  }

  /// Returns whether a call outside of any context may lose gradients: this worker takes part in an
  /// open context, or an argument depends on a tensor whose gradient is already lost.
  boolean losesGradients(List<Tensor> arguments) {
    return !parts.isEmpty() || (hasLost && LostGradientNode.isBehind(arguments));
  }

  /// Creates the graph node of tensors that were sent in a call outside of any context.
  Node lost(int tensors, String caller, FunctionName call) {
    hasLost = true;
    String open =
        parts.isEmpty() || !caller.equals(self())
            ? ""
            : ", of which " + new TreeSet<>(parts.keySet()) + " are open here";
    return new LostGradientNode(
        tensors,
        "a gradient is lost: %s called %s outside any autograd context%s; make the call in"
                .formatted(caller, call, open)
            + " DistContext.call or in a task wrapped by Rpc.wrap in the context, or pass detach()"
            + " of tensors that need no gradient");
  }

  /// Returns the gradients that the passes of a context accumulated on this worker, by leaf.
  ///
  /// @param isBound whether this thread records in the context; if so, and nothing has been
  ///     recorded here yet, the result is empty
  /// @throws IllegalArgumentException if the context is not known here
  public Map<Tensor, Tensor> gradients(long id, boolean isBound) {
    WorkerContext part = parts.get(id);
    if (part == null && isBound && !isOver(id)) {
      return Map.of();
    }
    return requirePart(id, part).gradients();
  }

  /// Returns this worker's part of a context.
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
              + self
              + "; it was closed, or no call of it reached this worker");
    }
    return part;
  }

  /// Closes a context that this worker opened.
  public void close(long id) {
    release(id, "it was closed");
  }

  /// Ends a context on this worker and notifies its peers, which do the same.
  private void release(long id, String why) {
    WorkerContext part;
    synchronized (released) {
      if (!ids.isOwn(id)) {
        released.put(id, why);
      }
      part = parts.remove(id);
    }
    if (part != null) {
      part.release().forEach(peer -> releases.add(peer, id));
    }
  }

  /// Handles another worker's report that these contexts are over. Trusts the worker that opened a
  /// context and the workers known to take part in it. If any other worker sent the report, asks
  /// the opener soon.
  public void releasedBy(WorkerInfo from, List<Long> contexts) {
    for (long id : contexts) {
      WorkerContext part = parts.get(id);
      if (ids.isOwn(id)) {
        continue; // a context opened here is over only once it is closed here
      }
      if (IdGenerator.rankOf(id) == from.id() || (part != null && part.knows(from))) {
        release(id, "released by " + from.name());
      } else if (part != null) {
        part.askSoon();
      }
    }
  }

  /// Records that a worker may have a part of this context, so that it is notified when the context
  /// ends, or soon if the context is over already.
  void reached(long id, String peer) {
    WorkerContext part = getOrCreate(id);
    if (part == null || !part.graph().addPeer(peer)) {
      releases.add(peer, id);
    }
  }

  /// Invalidates a context in which a call to `peer` was not answered, because the callee may or
  /// may not have recorded the call's tensors.
  void invalidate(long id, String peer, Throwable error) {
    reached(id, peer);
    WorkerContext part = find(id);
    if (part != null) {
      part.invalidate("a call in it was not answered (" + error.getMessage() + ")", error);
    }
  }

  /// Ends the contexts that a departed worker opened, and invalidates the others in which it took
  /// part.
  public void workerLost(WorkerInfo gone) {
    String name = gone.name();
    NoSuchWorkerException error = new NoSuchWorkerException(name, name + " left", true);
    for (WorkerContext part : List.copyOf(parts.values())) {
      if (IdGenerator.rankOf(part.id()) == gone.id()) {
        release(part.id(), name + ", which opened it, has left");
      } else {
        part.workerLost(name, error);
      }
    }
  }

  /// Asks whether old contexts are over elsewhere, and notifies peers of contexts that are over
  /// here. Does not block.
  public void upkeep() {
    leases.renew(parts.values());
    releases.flush();
  }

  /// Adds the counts for [Rpc#debugInfo].
  public void describe(Map<String, Long> info) {
    info.put("autograd.contexts", (long) parts.size());
    info.put("autograd.passes", sum(WorkerContext::passes));
    info.put("autograd.sends", sum(part -> part.graph().sends()));
    info.put("autograd.receives", sum(part -> part.graph().receives()));
  }

  private long sum(ToLongFunction<WorkerContext> count) {
    return parts.values().stream().mapToLong(count).sum();
  }
}
