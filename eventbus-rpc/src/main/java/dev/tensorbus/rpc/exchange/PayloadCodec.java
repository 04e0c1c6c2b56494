// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.call.TensorTransfers;
import dev.tensorbus.rpc.call.TensorTransfers.Loaded;
import dev.tensorbus.rpc.call.Transfer;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Messages;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.pending.PendingCall;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.RefHandle;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.value.Unsendable;
import dev.tensorbus.rpc.wire.value.ValueCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Turns arguments and results into payloads and back: tensors are recorded in the autograd
/// context, references are forked and adopted.
public final class PayloadCodec {
  private final ValueCodec values;
  private final References references;
  private final Contexts contexts;
  private final TensorTransfers transfers;

  public PayloadCodec(
      ValueCodec values, References references, Contexts contexts, TensorTransfers transfers) {
    this.values = values;
    this.references = references;
    this.contexts = contexts;
    this.transfers = transfers;
  }

  /// An encoded message: the payload, the tensors that go beside it, and the forks that were made
  /// for it.
  record Encoded(Payload payload, Transfer transfer, List<GlobalId> forks) {
    /// Whether to decode it may take a wait.
    boolean decodingMayBlock() {
      return !forks.isEmpty() || payload.isBeside();
    }
  }

  /// Encodes the arguments of a call for its worker, who may want them for as long as it lasts.
  /// Blocks at most once for each worker, until it is known how large tensors travel there, and
  /// never on an event loop.
  Encoded encodeRequest(PendingCall<?> call) {
    Sender to = call.to();
    try {
      return encode(
          call.call().arguments().toArray(),
          to,
          (tensors, bytes) -> request(call, tensors, bytes),
          call.remaining());
    } catch (Unsendable e) {
      throw e.asArgumentOf(call.function());
    }
  }

  private Payload request(PendingCall<?> call, List<Tensor> tensors, byte[] values) {
    call.losesGradients(call.isUnrecorded() && contexts.losesGradients(tensors));
    return messages(call.to()).request(call.recording(), call.losesGradients(), tensors, values);
  }

  /// Encodes a result for a worker, under the same conditions.
  Encoded encodeAnswer(
      FunctionName function,
      @Nullable Object result,
      Sender to,
      @Nullable Recording recording,
      long nanos) {
    try {
      return encode(
          result, to, (tensors, bytes) -> messages(to).answer(recording, tensors, bytes), nanos);
    } catch (Unsendable e) {
      throw e.asResultOf(function);
    }
  }

  private Messages messages(Sender peer) {
    return new Messages(contexts, peer.info().name());
  }

  private Encoded encode(
      @Nullable Object value,
      Sender to,
      BiFunction<List<Tensor>, byte[], Payload> pack,
      long nanos) {
    Taken taken = new Taken(to);
    try {
      byte[] bytes = values.encode(value, taken);
      Loaded loaded = transfers.load(pack.apply(taken.tensors, bytes), to, nanos);
      return new Encoded(loaded.payload(), loaded.transfer(), taken.forks);
    } catch (RuntimeException | Error e) {
      references.recall(taken.forks);
      throw e;
    }
  }

  /// Takes back the forks of a message that never left.
  void recall(Encoded message) {
    references.recall(message.forks());
    message.transfer().end();
  }

  /// Notes that the call is over whose arguments these are: its forks should have arrived.
  void sent(Encoded arguments) {
    references.sent(arguments.forks());
    arguments.transfer().end();
  }

  /// Notes that the caller takes this result in so many nanoseconds, or never.
  void answered(Encoded result, long nanos) {
    references.answered(result.forks(), nanos);
  }

  /// Notes that a call was not answered: nobody knows what became of the tensors of its context.
  void unanswered(PendingCall<?> call, Throwable error) {
    Recording recording = call.recording();
    if (recording != null) {
      recording.contexts().invalidate(recording.id(), call.to().info().name(), error);
    }
  }

  /// Notes that a call of a context failed: whether the method recorded anything before, nobody
  /// says.
  void failed(@Nullable Recording recording, Sender peer) {
    if (recording != null) {
      recording.contexts().reached(recording.id(), peer.info().name());
    }
  }

  /// The autograd context that an arriving request belongs to, or null.
  @Nullable Recording recording(Request request) {
    String caller = request.head().from().info().name();
    return Recording.arriving(contexts, request.arguments().graph(), caller);
  }

  /// The payload that a worker has sent, with the tensors that come beside it. Blocks until they
  /// are here, for `nanos` at most.
  Payload complete(Payload payload, Sender from, long nanos) {
    return transfers.unload(payload, from, nanos);
  }

  /// Decodes arguments from a worker, which are complete. Blocks until the owners of references
  /// among them know of them, for `nanos` at most.
  @Nullable Object decodeRequest(
      FunctionName function,
      Payload payload,
      Sender from,
      @Nullable Recording recording,
      long nanos) {
    return decode(payload, messages(from).requested(function, recording, payload), from, nanos);
  }

  /// Decodes the result of a call, under the same conditions.
  @Nullable Object decodeAnswer(PendingCall<?> call, Payload payload) {
    List<Tensor> tensors =
        messages(call.to())
            .answered(call.function(), call.recording(), call.losesGradients(), payload);
    return decode(payload, tensors, call.to(), call.remaining());
  }

  private @Nullable Object decode(Payload payload, List<Tensor> tensors, Sender from, long nanos) {
    Given given = new Given(tensors);
    try {
      Object value = values.decode(payload.values(), given);
      references.confirm(given.handles, from, Duration.ofNanos(Math.max(1, nanos)));
      return value;
    } catch (RuntimeException | Error e) {
      given.adopted.forEach(RRef::close);
      throw e;
    }
  }

  /// The tensors and forks of a value that goes out.
  private final class Taken implements ValueCodec.Outgoing {
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
      return references.fork(reference, to, forks::add);
    }
  }

  /// The tensors and forks of a value that came in.
  private final class Given implements ValueCodec.Incoming {
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
      RRef<?> reference = references.adopt(fork);
      handles.add(fork);
      adopted.add(reference);
      return reference;
    }
  }
}
