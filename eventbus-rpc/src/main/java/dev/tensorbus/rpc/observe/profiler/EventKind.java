// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

/// The kind of a [FunctionEvent].
public enum EventKind {
  /// An operation on tensors, or its derivative.
  OPERATION,

  /// A block of a [dev.tensorbus.autograd.profiler.RecordFunction].
  RECORD_FUNCTION,

  /// A call, on the caller.
  CALL,

  /// The method of a call, on the callee.
  METHOD,

  /// A distributed backward pass, or one worker's part of it.
  BACKWARD,

  /// The handling of gradients that have arrived at the worker that sent the tensors.
  SEND,

  /// The sending of gradients to the worker from which the tensors came.
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
