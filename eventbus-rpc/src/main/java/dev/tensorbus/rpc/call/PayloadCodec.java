// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.call.TensorTransfers.Loaded;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.value.Unsendable;
import dev.tensorbus.rpc.wire.value.ValueCodec;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Converts arguments and results, with their attachments, to payloads and back.
///
/// @param transfers sends large tensors separately from messages
public record PayloadCodec(ValueCodec values, TensorTransfers transfers) {
  /// The maximum time for which the tensors of a result can be fetched. A caller fetches them
  /// immediately, unless it has abandoned the call.
  private static final long LONGEST_FETCH_NANOS = TimeUnit.SECONDS.toNanos(60);

  /// An encoded message.
  ///
  /// @param attached the attachments
  /// @param payload the value
  /// @param transfer the transfer of tensors that are sent separately
  /// @param decodingMayBlock whether decoding the message may block
  public record Encoded(
      Attached attached, Payload payload, Transfer transfer, boolean decodingMayBlock) {}

  /// Encodes the arguments of a call for the callee, which may need them until the call ends. May
  /// block once per callee, until it is known how to send large tensors there, but never blocks an
  /// event loop.
  ///
  /// @param nanos how long the call may last
  public Encoded encodeRequest(Call<?> call, SentAttachments attachments, Sender to, long nanos) {
    try {
      return encode(
          call.arguments().toArray(),
          new OutgoingValue(to, nanos),
          attachments::write,
          attachments::unsent,
          nanos);
    } catch (Unsendable e) {
      throw e.asArgumentOf(call.function());
    }
  }

  /// Encodes a result for the caller. Blocks under the same conditions as [#encodeRequest].
  ///
  /// @param nanos how long the result must remain available to the caller
  public Encoded encodeAnswer(
      FunctionName function,
      @Nullable Object result,
      ReceivedAttachments attachments,
      Sender to,
      long nanos) {
    try {
      return encode(
          result,
          new OutgoingValue(to, nanos),
          attachments::write,
          attachments::unsent,
          Math.min(nanos, LONGEST_FETCH_NANOS));
    } catch (Unsendable e) {
      throw e.asResultOf(function);
    }
  }

  private Encoded encode(
      @Nullable Object value,
      OutgoingValue outgoing,
      Function<OutgoingValue, Attached> attach,
      Runnable unsent,
      long fetchNanos) {
    byte[] bytes = values.encode(value, outgoing);
    try {
      Attached attached = attach.apply(outgoing);
      Loaded loaded = transfers.load(outgoing.payload(bytes), outgoing.to(), fetchNanos);
      boolean mayBlock = !outgoing.references().isEmpty() || loaded.payload().isBeside();
      return new Encoded(attached, loaded.payload(), loaded.transfer(), mayBlock);
    } catch (RuntimeException | Error e) {
      unsent.run();
      throw e;
    }
  }

  /// Returns a received payload together with the tensors that were sent separately. Blocks until
  /// they have arrived, for `nanos` at most.
  public Payload complete(Payload payload, Sender from, long nanos) {
    return transfers.unload(payload, from, nanos);
  }

  /// Decodes the arguments of a call, whose tensors have all arrived. Blocks until references among
  /// the arguments are registered with their owners, for `nanos` at most.
  public @Nullable Object[] decodeRequest(
      Payload payload, ReceivedAttachments attachments, Sender from, long nanos) {
    Object decoded = decode(payload, attachments::read, from, nanos);
    return attachments.arguments((@Nullable Object[]) Objects.requireNonNull(decoded));
  }

  /// Decodes the result of a call. Blocks under the same conditions as [#decodeRequest].
  public @Nullable Object decodeAnswer(
      Payload payload, SentAttachments attachments, Attached attached, Sender from, long nanos) {
    return decode(payload, value -> attachments.read(value, attached), from, nanos);
  }

  private @Nullable Object decode(
      Payload payload, Consumer<IncomingValue> attach, Sender from, long nanos) {
    IncomingValue value = new IncomingValue(payload.tensors(), from, nanos);
    try {
      attach.accept(value);
      return values.decode(payload.values(), value);
    } catch (RuntimeException | Error e) {
      value.discard();
      throw e;
    }
  }
}
