// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.wire.GraphLink;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records the tensors that leave in requests and answers, and those that arrive.
///
/// One rule makes sure that every part of a context hears of its end. A worker that sends tracked
/// tensors in a request knows that the callee has a part. An answer names the context if the callee
/// has a part.
///
/// @param contexts the contexts of this worker
/// @param peer the worker at the other end
public record Messages(Contexts contexts, String peer) {
  /// Packs a request, recording it if a gradient is to come back.
  ///
  /// @param losesGradients whether the request is outside of every context, and should not be
  public Payload request(
      @Nullable Recording recording, boolean losesGradients, List<Tensor> tensors, byte[] values) {
    if (recording == null || contexts.isOver(recording.id())) {
      return payload(GraphLink.NONE, losesGradients, tensors, values);
    }
    long message = record(recording, tensors);
    if (message != 0) {
      recording.contexts().reached(recording.id(), peer);
    }
    return payload(new GraphLink(recording.id(), message), message != 0, tensors, values);
  }

  /// Packs an answer, recording it if a gradient is to come back. Outside of every context the
  /// caller knows whether the gradient is lost.
  public Payload answer(@Nullable Recording recording, List<Tensor> tensors, byte[] values) {
    long message = recording == null ? 0 : record(recording, tensors);
    GraphLink link =
        recording == null || recording.part() == null
            ? GraphLink.NONE
            : new GraphLink(recording.id(), message);
    return payload(link, recording == null || message != 0, tensors, values);
  }

  /// Records these tensors as sent.
  ///
  /// @return the id of the send function and its receive function, 0 if no tensor is tracked
  private long record(Recording recording, List<Tensor> tensors) {
    List<Tensor> tracked = new ArrayList<>(tensors);
    tracked.removeIf(tensor -> !tensor.requiresGrad());
    WorkerContext part = tracked.isEmpty() ? null : recording.getOrCreate();
    if (part == null) {
      return 0;
    }
    long message = contexts.nextId();
    return part.graph().recordSend(peer, message, tracked) ? message : 0;
  }

  /// @param tracks whether the peer is to know which tensors require a gradient
  private static Payload payload(
      GraphLink link, boolean tracks, List<Tensor> tensors, byte[] values) {
    List<WireTensor> wired = new ArrayList<>(tensors.size());
    for (Tensor tensor : tensors) {
      wired.add(WireTensor.of(tensor, tracks && tensor.requiresGrad()));
    }
    return new Payload(link, wired, values);
  }

  /// The tensors of a request that has arrived.
  public List<Tensor> requested(FunctionName call, @Nullable Recording recording, Payload payload) {
    return isUnrecorded(payload) ? lost(peer, call, payload) : received(recording, payload);
  }

  /// The tensors of an answer that has arrived.
  ///
  /// @param losesGradients whether the request was outside of every context, and should not be
  public List<Tensor> answered(
      FunctionName call, @Nullable Recording recording, boolean losesGradients, Payload payload) {
    if (recording != null && payload.graph().context() != 0) {
      recording.contexts().reached(recording.id(), peer);
    }
    return losesGradients && isUnrecorded(payload)
        ? lost(contexts.self(), call, payload)
        : received(recording, payload);
  }

  private static boolean isUnrecorded(Payload payload) {
    return payload.graph().message() == 0 && payload.tracked() > 0;
  }

  private List<Tensor> lost(String caller, FunctionName call, Payload payload) {
    return Tensors.received(payload.tensors(), contexts.lost(payload.tracked(), caller, call));
  }

  private List<Tensor> received(@Nullable Recording recording, Payload payload) {
    WorkerContext part =
        recording == null || payload.graph().message() == 0 ? null : recording.getOrCreate();
    return part == null ? Tensors.plain(payload.tensors()) : part.recordReceive(peer, payload);
  }
}
