// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.jfr;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A backward pass over several workers, or a part of it. Its name says which:
///
/// - [#PASS]: all of it, at the worker where it begins;
/// - [#SWEEP]: what one message makes ready on one worker;
/// - [#RECEIVE]: gradients of tensors that came from `peer` are ready to go there;
/// - [#SEND]: they have come to the worker that sent the tensors, with all that this makes ready.
@Name(BackwardEvent.NAME)
@Label("Backward Pass")
@Category({"Tensorbus", "Autograd"})
@StackTrace(false)
public final class BackwardEvent extends Event {
  /// The name of its type in a recording.
  public static final String NAME = "dev.tensorbus.Backward";

  /// The whole pass.
  public static final String PASS = "DistContext.backward";

  /// Work of one worker.
  public static final String SWEEP = "DistContext.backward#sweep";

  /// As torch calls it.
  public static final String SEND = "SendRpcBackward";

  /// As torch calls it.
  public static final String RECEIVE = "RecvRpcBackward";

  @Label("Part")
  final String part;

  @Label("Worker")
  final String worker;

  @Label("Peer")
  final String peer;

  @Label("Context")
  final long context;

  @Label("Message that Brought the Tensors")
  final long message;

  private BackwardEvent(String part, String worker, String peer, long context, long message) {
    this.part = part;
    this.worker = worker;
    this.peer = peer;
    this.context = context;
    this.message = message;
  }

  /// A pass, or one worker's work for it, begins on this thread. It ends with [#commit].
  ///
  /// @param part [#PASS] or [#SWEEP]
  public static BackwardEvent begun(String part, String worker, long context) {
    return begun(part, worker, "", context, 0);
  }

  /// Gradients are about to go to a peer, or have come from it. It ends with [#commit].
  ///
  /// @param part [#SEND] or [#RECEIVE]
  public static BackwardEvent begun(
      String part, String worker, String peer, long context, long message) {
    BackwardEvent event = new BackwardEvent(part, worker, peer, context, message);
    event.begin();
    return event;
  }
}
