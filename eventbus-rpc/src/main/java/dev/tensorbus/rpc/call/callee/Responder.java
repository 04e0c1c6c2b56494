// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.Transfer;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Response;
import dev.tensorbus.rpc.wire.message.Response.Failure;
import dev.tensorbus.rpc.wire.message.Response.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Answers calls from other workers.
public record Responder(Peers peers) {
  private static final System.Logger LOG = System.getLogger(Responder.class.getName());

  /// The contents of an answer: the outcome of a call, with its result or its failure.
  record Answer(Outcome outcome, PayloadCodec.@Nullable Encoded result, @Nullable Failure failure) {
    /// The answer for a call that has not ended.
    static final Answer PENDING = new Answer(Outcome.PENDING, null, null);

    static Answer busy(String load) {
      return new Answer(Outcome.BUSY, null, new Failure("", load, ""));
    }

    static Answer forgotten() {
      String type = IllegalStateException.class.getName();
      String message = "the method has run, but its answer has been discarded";
      return new Answer(Outcome.THREW, null, new Failure(type, message, ""));
    }

    static Answer of(Outcome outcome, Throwable error) {
      StringWriter stack = new StringWriter();
      error.printStackTrace(new PrintWriter(stack));
      String message = error.getMessage();
      Failure failure =
          new Failure(error.getClass().getName(), message == null ? "" : message, stack.toString());
      return new Answer(outcome, null, failure);
    }

    /// Returns an answer without the error's stack trace, since there may be too little memory for
    /// it.
    static Answer withoutStack(Error error) {
      Failure failure = new Failure(error.getClass().getName(), error.toString(), "");
      return new Answer(Outcome.THREW, null, failure);
    }
  }

  /// Answers a call.
  ///
  /// @param call the number that the caller gave the call
  Frame send(Sender to, long call, Answer answer) {
    PayloadCodec.Encoded result = answer.result();
    Response response =
        new Response(
            call,
            peers.self().sender().incarnation(),
            answer.outcome(),
            result != null && result.decodingMayBlock(),
            result == null ? Attached.NONE : result.attached(),
            result == null ? null : result.payload(),
            answer.failure());
    Transfer transfer = result == null ? Transfer.NONE : result.transfer();
    Frame frame = frame(response, transfer);
    peers
        .send(to, frame)
        .onFailure(
            e -> {
              transfer.end();
              LOG.log(Level.DEBUG, () -> to.info() + " did not receive answer " + call + ": " + e);
            });
    transfer.start();
    return frame;
  }

  private static Frame frame(Response response, Transfer transfer) {
    try {
      return response.toFrame();
    } catch (RuntimeException | Error e) {
      transfer.end();
      throw e;
    }
  }

  /// Sends an answer again.
  void repeat(Sender to, Frame answer) {
    peers.send(to, answer);
  }
}
