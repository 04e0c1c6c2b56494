// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A distributed backward pass, or a section of one. The field `part` says which:
///
/// - [#PASS]: the whole pass, on its origin;
/// - [#SWEEP]: one step of the computation on one worker, for example the work that one message
///   starts;
/// - [#RECEIVE]: gradients of tensors received from `peer` are ready to be sent there;
/// - [#SEND]: gradients have arrived at the worker that sent the tensors; includes the computation
///   that they started.
@Name(BackwardEvent.NAME)
@Label("Backward Pass")
@Category({"Tensorbus", "Autograd"})
@StackTrace(false)
public final class BackwardEvent extends Event {
  /// The name of the event type in a recording.
  public static final String NAME = "dev.tensorbus.Backward";

  /// The whole pass.
  public static final String PASS = "DistContext.backward";

  /// One step of the computation on one worker.
  public static final String SWEEP = "DistContext.backward#sweep";

  /// The gradients of sent tensors have arrived. The name is torch's.
  public static final String SEND = "SendRpcBackward";

  /// The gradients of received tensors are ready. The name is torch's.
  public static final String RECEIVE = "RecvRpcBackward";

  @Label("Part")
  final String part;

  @Label("Worker")
  final String worker;

  @Label("Peer")
  final String peer;

  @Label("Context")
  final long context;

  @Label("Message That Carried the Tensors")
  final long message;

  private BackwardEvent(String part, String worker, String peer, long context, long message) {
    this.part = part;
    this.worker = worker;
    this.peer = peer;
    this.context = context;
    this.message = message;
  }

  /// Starts an event for a pass or for one worker's sweep. [#commit] ends the event.
  ///
  /// @param part [#PASS] or [#SWEEP]
  public static BackwardEvent begun(String part, String worker, long context) {
    return begun(part, worker, "", context, 0);
  }

  /// Starts an event for gradients that are sent to or received from a peer. [#commit] ends the
  /// event.
  ///
  /// @param part [#SEND] or [#RECEIVE]
  public static BackwardEvent begun(
      String part, String worker, String peer, long context, long message) {
    BackwardEvent event = new BackwardEvent(part, worker, peer, context, message);
    event.begin();
    return event;
  }
}
