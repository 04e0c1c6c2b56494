// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Messages;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.lane.Lanes;
import dev.tensorbus.rpc.lane.Lanes.Loaded;
import dev.tensorbus.rpc.lane.Shipment;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.RefHandle;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Turns arguments and results into payloads and back: tensors are recorded in the autograd
/// context, references are forked and adopted.
final class Codec {
  private final EventBusRpc rpc;
  private final Values values;
  private final Lanes lanes;

  Codec(EventBusRpc rpc, Values values, Lanes lanes) {
    this.rpc = rpc;
    this.values = values;
    this.lanes = lanes;
  }

  /// What is to be sent, what is to go beside it, and the forks that were made for it.
  record Encoded(Payload payload, Shipment shipment, List<GlobalId> forks) {
    /// Whether to decode it may take a wait.
    boolean mayWait() {
      return !forks.isEmpty() || payload.isBeside();
    }
  }

  /// Encodes arguments for a worker, who may want them for `nanos`. Blocks at most once for each
  /// worker, until it is known how large tensors travel there, and never on an event loop.
  Encoded encodeRequest(
      @Nullable Object[] arguments, Sender to, @Nullable Recording recording, long nanos) {
    return encode(
        arguments, to, (tensors, bytes) -> messages(to).request(recording, tensors, bytes), nanos);
  }

  /// Encodes a result for a worker, under the same conditions.
  Encoded encodeAnswer(
      @Nullable Object result, Sender to, @Nullable Recording recording, long nanos) {
    return encode(
        result, to, (tensors, bytes) -> messages(to).answer(recording, tensors, bytes), nanos);
  }

  private Messages messages(Sender peer) {
    return new Messages(Contexts.of(rpc), peer.info().name());
  }

  private Encoded encode(
      @Nullable Object value,
      Sender to,
      BiFunction<List<Tensor>, byte[], Payload> pack,
      long nanos) {
    Taken taken = new Taken(to);
    try {
      byte[] bytes = values.encode(value, taken);
      Loaded loaded = lanes.load(pack.apply(taken.tensors, bytes), to, nanos);
      return new Encoded(loaded.payload(), loaded.shipment(), taken.forks);
    } catch (RuntimeException e) {
      rpc.references().recall(taken.forks);
      throw e;
    }
  }

  /// What a worker has sent, with the tensors that come beside it. Blocks until they are here,
  /// for `nanos` at most.
  Payload complete(Payload payload, Sender from, long nanos) {
    return lanes.unload(payload, from, nanos);
  }

  /// Decodes arguments from a worker, which are complete. Blocks until the owners of references
  /// among them know of them, for `nanos` at most.
  @Nullable Object decodeRequest(
      Payload payload, Sender from, @Nullable Recording recording, long nanos) {
    return decode(payload, messages(from).requested(recording, payload), from, nanos);
  }

  /// Decodes a result from a worker, under the same conditions.
  @Nullable Object decodeAnswer(
      Payload payload, Sender from, @Nullable Recording recording, long nanos) {
    return decode(payload, messages(from).answered(recording, payload), from, nanos);
  }

  private @Nullable Object decode(Payload payload, List<Tensor> tensors, Sender from, long nanos) {
    Given given = new Given(tensors);
    try {
      Object value = values.decode(payload.values(), given);
      rpc.references().confirm(given.handles, from, Duration.ofNanos(Math.max(1, nanos)));
      return value;
    } catch (RuntimeException e) {
      given.adopted.forEach(RRef::close);
      throw e;
    }
  }

  /// The tensors and forks of a value that goes out.
  private final class Taken implements Values.Outgoing {
    private final Sender to;
    private final List<Tensor> tensors = new ArrayList<>();
    private final List<GlobalId> forks = new ArrayList<>();
    private final IdentityHashMap<Tensor, Integer> indices = new IdentityHashMap<>();

    private Taken(Sender to) {
      this.to = to;
    }

    @Override
    public int add(Tensor tensor) {
      return indices.computeIfAbsent(
          tensor,
          key -> {
            tensors.add(key);
            return tensors.size() - 1;
          });
    }

    @Override
    public RefHandle fork(RRef<?> reference) {
      return rpc.references().fork(reference, to, forks::add);
    }
  }

  /// The tensors and forks of a value that came in.
  private final class Given implements Values.Incoming {
    private final List<Tensor> tensors;

    /// Forks whose owners have yet to hear of them; asking takes a call, which must not be made
    /// in the middle of decoding.
    private final List<RefHandle> handles = new ArrayList<>();

    private final List<RRef<?>> adopted = new ArrayList<>();

    private Given(List<Tensor> tensors) {
      this.tensors = tensors;
    }

    @Override
    public Tensor tensor(int index) {
      if (index < 0 || index >= tensors.size()) {
        throw new WireException(
            "message refers to tensor " + index + " of " + tensors.size(), null);
      }
      return tensors.get(index);
    }

    @Override
    public RRef<?> adopt(RefHandle fork) {
      RRef<?> reference = rpc.references().adopt(fork);
      handles.add(fork);
      adopted.add(reference);
      return reference;
    }
  }
}
