// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

/// The kinds of a [FunctionEvent].
public enum EventKind {
  /// An operation on tensors, or its derivative.
  OPERATION,

  /// A block of a [dev.tensorbus.autograd.profiler.RecordFunction].
  RECORD_FUNCTION,

  /// A call as its caller sees it.
  CALL,

  /// The method of a call, on the callee.
  METHOD,

  /// A backward pass over several workers, or one worker's part of it.
  BACKWARD,

  /// Gradients have arrived at the worker that sent their tensors.
  SEND,

  /// Gradients are ready to be sent to the worker that their tensors came from.
  RECEIVE;

  /// Returns the category in a Chrome trace.
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
