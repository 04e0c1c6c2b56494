// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.wire.GraphLink;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The distributed autograd contexts that a worker takes part in.
public final class Contexts {
  private static final int COUNTER_BITS = 48;
  private static final int REMEMBERED_RELEASES = 4096;

  /// The context that this thread records in.
  private static final ThreadLocal<@Nullable WorkerContext> CURRENT = new ThreadLocal<>();

  /// What the origin of a pass waits longer than others, so that their errors come first.
  private static final Duration GRACE = Duration.ofSeconds(1);

  /// A gradient that is lost would end its pass.
  private static final CallOptions REPEATED = CallOptions.DEFAULT.withRetry(Duration.ofMillis(200));

  private final Rpc rpc;
  private final Calls control;
  private final Duration timeout;
  private final Map<Long, WorkerContext> contexts = new ConcurrentHashMap<>();
  private final AtomicLong counter = new AtomicLong();

  /// Contexts that are over: a message that comes late must not bring one back.
  private final Map<Long, Boolean> released =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
          return size() > REMEMBERED_RELEASES;
        }
      };

  /// Holds the contexts of the worker of `rpc`.
  ///
  /// @param control calls that are repeated until they are answered or their worker has left
  /// @param timeout how long a worker may take to answer a message of a pass
  public Contexts(Rpc rpc, Calls control, Duration timeout) {
    this.rpc = rpc;
    this.control = control;
    this.timeout = timeout;
  }

  /// The contexts of this worker.
  public static Contexts of(Rpc rpc) {
    return rpc.shared(
        Contexts.class,
        () -> {
          throw new IllegalStateException(rpc + " has no autograd contexts");
        });
  }

  /// A number that no other worker gives, as torch makes its context ids: the worker in the upper
  /// 16 bits, a counter from 1 in the lower 48.
  private long nextId() {
    return ((long) rpc.self().id() << COUNTER_BITS) | counter.incrementAndGet();
  }

  /// Whether one worker gave the first of these numbers before the second.
  static boolean isEarlier(long first, long second) {
    return first >>> COUNTER_BITS == second >>> COUNTER_BITS && first < second;
  }

  /// Opens a context; this thread records in it from now on.
  ///
  /// @throws IllegalStateException if this thread already has one
  public WorkerContext open() {
    WorkerContext current = CURRENT.get();
    if (current != null) {
      throw new IllegalStateException(
          "this thread already records in autograd context " + current.id() + "; close that first");
    }
    WorkerContext context = new WorkerContext(this, nextId());
    contexts.put(context.id(), context);
    enter(context);
    return context;
  }

  /// Lets this thread record in a context, or in none.
  public static void enter(@Nullable WorkerContext context) {
    if (context == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(context);
    }
  }

  /// Makes a call that belongs to no context, whatever this thread records in.
  public static <R> R outside(Supplier<R> call) {
    WorkerContext current = CURRENT.get();
    enter(null);
    try {
      return call.get();
    } finally {
      enter(current);
    }
  }

  /// The context that this thread records in, or null.
  public static @Nullable WorkerContext current() {
    return CURRENT.get();
  }

  /// The part of a context on this worker.
  ///
  /// @throws IllegalArgumentException if the context is not known here
  public WorkerContext context(long id) {
    WorkerContext context = contexts.get(id);
    if (context == null) {
      throw new IllegalArgumentException(
          "no autograd context "
              + id
              + " on "
              + rpc.self()
              + "; it was closed, or no call of it came here");
    }
    return context;
  }

  /// The context that an arriving message names, or null for none and for one that is over.
  public @Nullable WorkerContext arriving(GraphLink link) {
    if (link.context() == 0) {
      return null;
    }
    synchronized (released) {
      return released.containsKey(link.context())
          ? null
          : contexts.computeIfAbsent(link.context(), id -> new WorkerContext(this, id));
    }
  }

  /// Packs what goes to `peer`, recording it if a gradient is to come back.
  public Payload pack(
      @Nullable WorkerContext context, String peer, List<Tensor> tensors, byte[] values) {
    List<Tensor> tracked =
        context == null ? List.of() : tensors.stream().filter(Tensor::requiresGrad).toList();
    List<WireTensor> wired =
        tensors.stream()
            .map(tensor -> WireTensor.of(tensor, context != null && tensor.requiresGrad()))
            .toList();
    if (context == null) {
      return new Payload(GraphLink.NONE, wired, values);
    }
    context.addPeer(peer);
    long message = tracked.isEmpty() ? 0 : nextId();
    if (message != 0) {
      context.recordSend(peer, message, tracked);
    }
    return new Payload(new GraphLink(context.id(), message), wired, values);
  }

  /// The tensors of what came from `peer`.
  public List<Tensor> unpack(@Nullable WorkerContext context, String peer, Payload payload) {
    return context == null || payload.graph().message() == 0
        ? Tensors.plain(payload.tensors())
        : context.recordReceive(peer, payload);
  }

  /// Runs a backward pass from these losses over every worker of the context. Blocks until every
  /// gradient is in its place.
  ///
  /// @throws RpcException if a worker fails, leaves, or does not answer in time
  public void backward(WorkerContext context, List<Tensor> losses) {
    if (losses.isEmpty()) {
      throw new IllegalArgumentException("backward: given no losses, so nothing to differentiate");
    }
    List<Node> roots = losses.stream().map(Contexts::requireRoot).toList();
    List<List<@Nullable Tensor>> gradients = losses.stream().map(Contexts::ones).toList();
    DistributedPass pass = Objects.requireNonNull(context.pass(nextId(), roots));
    Duration limit = timeout.plus(GRACE);
    try {
      pass.resolve(roots, gradients).await(limit.toMillis(), TimeUnit.MILLISECONDS);
      pass.finish();
    } catch (TimeoutException e) {
      String peers = String.join(", ", pass.awaitedPeers());
      RpcTimeoutException late = new RpcTimeoutException(peers, "a backward pass", limit);
      pass.fail(late);
      throw late;
    }
  }

  /// One for a loss, none for what else the same function gave.
  private static List<@Nullable Tensor> ones(Tensor loss) {
    @Nullable Tensor[] ones = new Tensor[requireRoot(loss).outputs()];
    ones[loss.gradientEdge().output()] = Tensor.full(loss.shape(), loss.dtype(), 1);
    return Arrays.asList(ones);
  }

  private static Node requireRoot(Tensor loss) {
    if (!loss.shape().equals(Shape.SCALAR) && loss.shape().elements() != 1) {
      throw new ShapeException("backward", "starts from a scalar, this is " + loss.shape());
    }
    Node root = loss.gradientEdge().node();
    if (root == null) {
      throw new IllegalStateException(
          "backward: nothing that this tensor was computed from requires a gradient");
    }
    return root;
  }

  /// Sends a message of a pass.
  Future<Void> deliver(
      String peer, long context, long pass, long message, List<@Nullable Tensor> gradients) {
    return outside(
        () ->
            rpc.with(REPEATED)
                .rpcAsync(
                    peer,
                    Contexts::propagateGradients,
                    context,
                    pass,
                    message,
                    (List<Tensor>) new ArrayList<>(gradients)));
  }

  /// Takes a message of a pass on the worker that it is for.
  @Remote
  static Future<Void> propagateGradients(
      Long context, Long pass, Long message, List<Tensor> gradients) {
    // The pass may overtake the call that brings the context here.
    WorkerContext part = of(Rpc.current()).arriving(new GraphLink(context, 0));
    DistributedPass running = part == null ? null : part.pass(pass, List.of());
    if (part == null || running == null) {
      return Future.succeededFuture(); // over: nobody waits for this any more
    }
    SendNode send = part.send(message);
    return send == null
        ? running.resolve(List.of(), List.of())
        : running.resolve(List.of(send), List.of(gradients));
  }

  /// Ends a context on this worker and, through it, on every worker that it reached.
  public void release(long id) {
    WorkerContext context;
    synchronized (released) {
      released.put(id, true);
      context = contexts.remove(id);
    }
    if (context != null) {
      context.release().forEach(peer -> control.rpcAsync(peer, Contexts::cleanUp, id));
    }
  }

  @Remote
  static void cleanUp(Long context) {
    of(Rpc.current()).release(context);
  }

  /// How many contexts are open here.
  public int size() {
    return contexts.size();
  }

  /// Fails whatever waits for a worker that has left.
  public void workerLost(String worker, RpcException error) {
    contexts.values().forEach(context -> context.workerLost(worker, error));
  }
}
