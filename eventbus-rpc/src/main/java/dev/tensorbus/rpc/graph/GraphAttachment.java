// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.call.Binding;
import dev.tensorbus.rpc.call.CallAttachment;
import dev.tensorbus.rpc.call.IncomingValue;
import dev.tensorbus.rpc.call.OutgoingValue;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Carries the autograd context of a call, and records the tensors of requests and answers as sent
/// or received.
///
/// Every worker with a part of a context must be notified when the context ends. So the caller adds
/// the callee to the context's peers if the request carries tracked tensors, if the answer says
/// that the callee has a part, or if the call fails.
///
/// @param contexts the contexts of this worker
public record GraphAttachment(Contexts contexts) implements CallAttachment {
  @Override
  public int id() {
    return 1;
  }

  @Override
  public OnCaller call(FunctionName function, Target target) {
    Recording recording = Recording.current();
    return new Sent(function, recording, recording == null && !NoGrad.isOn());
  }

  @Override
  public OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in) {
    return new Received(function, caller.info().name(), GraphLink.read(in));
  }

  @Override
  public Binding here() {
    Recording entered = Recording.entered();
    return body -> Recording.run(entered, body);
  }

  /// Records that tensors are sent to `peer`. Ignores tensors that require no gradient.
  ///
  /// @return the id shared by the send function and the peer's receive function, or 0 if nothing
  ///     was recorded
  private long recordSend(Recording recording, String peer, List<Tensor> tensors) {
    List<Tensor> tracked = new ArrayList<>(tensors);
    tracked.removeIf(tensor -> !tensor.requiresGrad());
    WorkerContext part = tracked.isEmpty() ? null : recording.getOrCreate();
    if (part == null) {
      return 0;
    }
    long message = contexts.nextId();
    return part.graph().recordSend(peer, message, tracked) ? message : 0;
  }

  /// Records the tensors of a message as received, if the sender recorded the message.
  private static void recordReceive(
      @Nullable Recording recording, GraphLink link, IncomingValue value) {
    WorkerContext part = recording == null || link.message() == 0 ? null : recording.getOrCreate();
    if (part != null) {
      part.recordReceive(link.message(), value);
    }
  }

  /// Returns whether a message carries tracked tensors that its sender did not record in a context.
  private static boolean isUnrecorded(GraphLink link, IncomingValue value) {
    return link.message() == 0 && value.tracked() > 0;
  }

  private void lose(IncomingValue value, String caller, FunctionName function) {
    value.replaceTensors(
        Tensors.received(value.arrived(), contexts.lost(value.tracked(), caller, function)));
  }

  /// A call that this worker makes.
  private final class Sent implements OnCaller {
    private final FunctionName function;
    private final @Nullable Recording recording;

    /// Whether the call belongs to no context although `NoGrad` is off.
    private final boolean isUnrecorded;

    /// Whether the call, made outside of any context, loses gradients that a context may need.
    private boolean losesGradients;

    /// The worker to which the call was sent, or null.
    private @Nullable String peer;

    private Sent(FunctionName function, @Nullable Recording recording, boolean isUnrecorded) {
      this.function = function;
      this.recording = recording;
      this.isUnrecorded = isUnrecorded;
    }

    @Override
    public void write(OutgoingValue arguments, Output out) {
      String to = arguments.to().info().name();
      peer = to;
      losesGradients = isUnrecorded && contexts.losesGradients(arguments.tensors());
      if (losesGradients) {
        arguments.trackTensors();
      }
      if (recording == null || contexts.isOver(recording.id())) {
        return;
      }
      long message = recordSend(recording, to, arguments.tensors());
      if (message != 0) {
        arguments.trackTensors();
        recording.contexts().reached(recording.id(), to);
      }
      new GraphLink(recording.id(), message).write(out);
    }

    @Override
    public void unsent() {
      peer = null;
    }

    @Override
    public void read(IncomingValue result, @Nullable Input in) {
      GraphLink link = GraphLink.read(in);
      if (recording != null && link.context() != 0) {
        recording.contexts().reached(recording.id(), result.from().info().name());
      }
      if (losesGradients && isUnrecorded(link, result)) {
        lose(result, contexts.self(), function);
      } else {
        recordReceive(recording, link, result);
      }
    }

    /// Invalidates the context if the call was not answered: the callee may or may not have
    /// recorded the tensors. If the call failed on the callee, adds the callee to the peers: the
    /// method may have recorded tensors before it failed.
    @Override
    public void ended(Outcome outcome, @Nullable Throwable error) {
      String to = peer;
      if (recording == null || to == null || outcome == Outcome.OK) {
        return;
      }
      if (error != null) {
        recording.contexts().invalidate(recording.id(), to, error);
      } else {
        recording.contexts().reached(recording.id(), to);
      }
    }
  }

  /// A call that this worker runs.
  private final class Received implements OnCallee {
    private final FunctionName function;
    private final String caller;
    private final GraphLink link;
    private @Nullable Recording recording;

    private Received(FunctionName function, String caller, GraphLink link) {
      this.function = function;
      this.caller = caller;
      this.link = link;
    }

    @Override
    public void run(Runnable body) {
      recording = Recording.arriving(contexts, link, caller);
      Recording.run(recording, body);
    }

    @Override
    public void read(IncomingValue arguments) {
      if (isUnrecorded(link, arguments)) {
        lose(arguments, caller, function);
      } else {
        recordReceive(recording, link, arguments);
      }
    }

    /// Marks the tensors that require a gradient even if the call belongs to no context: only the
    /// caller knows whether their gradients are lost.
    @Override
    public void write(OutgoingValue result, Output out) {
      if (recording == null) {
        result.trackTensors();
        return;
      }
      long message = recordSend(recording, caller, result.tensors());
      if (message != 0) {
        result.trackTensors();
      }
      if (recording.part() != null) {
        new GraphLink(recording.id(), message).write(out);
      }
    }
  }
}
