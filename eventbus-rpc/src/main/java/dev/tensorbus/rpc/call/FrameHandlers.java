// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Bundle;
import dev.tensorbus.rpc.wire.message.Message;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/// Passes each frame that a worker receives to the handler for its kind. Handlers are registered
/// while the worker is assembled, and must not block.
public final class FrameHandlers {
  private static final System.Logger LOG = System.getLogger(FrameHandlers.class.getName());

  private final Map<Frame.Kind, FrameHandler> handlers = new EnumMap<>(Frame.Kind.class);
  private final Peers peers;
  private final Executor loop;

  /// Handles the frames of one kind.
  @FunctionalInterface
  public interface FrameHandler {
    /// Handles a frame.
    ///
    /// @param node the cluster node from which the frame came
    /// @throws WireException if the frame must be dropped
    void handle(Frame frame, String node);
  }

  /// Creates a dispatcher with a handler for bundles only.
  ///
  /// @param loop runs handlers that had to wait for a lookup
  public FrameHandlers(Peers peers, Executor loop) {
    this.peers = peers;
    this.loop = loop;
    on(Frame.Kind.BUNDLE, this::handleBundle);
  }

  /// Registers the handler for a kind of frame.
  public void on(Frame.Kind kind, FrameHandler handler) {
    handlers.put(kind, handler);
  }

  /// Registers the handler for a kind of message. The handler gets only messages that came from the
  /// node on which their sender runs.
  ///
  /// @param read decodes the message
  public <M extends Message> void on(
      Frame.Kind kind, Function<Frame, M> read, Consumer<M> handler) {
    on(
        kind,
        (frame, node) -> {
          M message = read.apply(frame);
          requireOrigin(message.from(), node, () -> handler.accept(message));
        });
  }

  /// Handles a frame. Drops an unreadable frame, because its sender cannot be answered.
  ///
  /// @param node the cluster node from which the frame came
  public void handle(Frame frame, String node) {
    dropIfWrong(
        () -> {
          Frame.Kind kind = frame.kind();
          FrameHandler handler = handlers.get(kind);
          if (handler == null) {
            throw new WireException("nothing handles a message of kind " + kind, null);
          }
          handler.handle(frame, node);
        });
  }

  private void handleBundle(Frame bundle, String node) {
    Bundle.from(bundle).frames().forEach(frame -> handle(frame, node));
  }

  /// Runs `handling` if a message came from the node on which its sender runs. Looks up a sender
  /// that this worker does not know, since the sender may just have joined.
  ///
  /// @throws WireException if the sender is known to run on another node
  public void requireOrigin(Sender from, String node, Runnable handling) {
    Peer known = peers.known(from);
    if (known != null) {
      requireNode(known.node().equals(node), from);
      peers.heard(from);
      handling.run();
    } else if (peers.isGone(from)) { // the handler rejects its messages
      handling.run();
    } else {
      peers
          .isRegistered(from, node)
          .onComplete(
              found ->
                  loop.execute(
                      () ->
                          dropIfWrong(
                              () -> {
                                requireNode(found.succeeded() && found.result(), from);
                                handling.run();
                              })));
    }
  }

  private static void requireNode(boolean isRight, Sender from) {
    if (!isRight) {
      throw new WireException("message of " + from.info() + " from another worker's node", null);
    }
  }

  private void dropIfWrong(Runnable handling) {
    try {
      handling.run();
    } catch (RuntimeException | Error e) { // including OutOfMemoryError
      String address = peers.self().sender().address();
      LOG.log(Level.WARNING, () -> address + " dropped a message: " + e.getMessage());
    }
  }
}
