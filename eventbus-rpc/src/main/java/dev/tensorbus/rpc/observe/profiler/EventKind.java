// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

/// The kinds of a [FunctionEvent].
public enum EventKind {
  /// An operation on tensors, or its derivative.
  OPERATION,

  /// A block of a [dev.tensorbus.autograd.profiler.RecordFunction].
  RECORD_FUNCTION,

  /// A call, at the worker that makes it.
  CALL,

  /// The method of a call, at the worker that runs it.
  METHOD,

  /// A backward pass over several workers, or one worker's work for it.
  BACKWARD,

  /// Gradients have come to where their tensors were sent from.
  SEND,

  /// Gradients are ready to go to where their tensors came from.
  RECEIVE;

  /// The category in a Chrome trace.
  String category() {
    return switch (this) {
      case OPERATION -> "operation";
      case RECORD_FUNCTION -> "block";
      case CALL -> "call";
      case METHOD -> "method";
      case BACKWARD, SEND, RECEIVE -> "backward";
    };
  }
}
