// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import io.vertx.grpc.common.GrpcStatus;

/// Why the gateway refuses a call: what stands in the error's `ErrorInfo`, and gRPC's own code for
/// it.
public enum Reason {
  /// The gateway asks for a token, and none came.
  NO_TOKEN(GrpcStatus.UNAUTHENTICATED),
  /// Another token came.
  WRONG_TOKEN(GrpcStatus.UNAUTHENTICATED),
  /// This client calls more often than it may.
  TOO_MANY_CALLS(GrpcStatus.RESOURCE_EXHAUSTED),
  /// One message is too large.
  MESSAGE_TOO_LARGE(GrpcStatus.RESOURCE_EXHAUSTED),
  /// The tensors of one call are too large.
  TENSORS_TOO_LARGE(GrpcStatus.RESOURCE_EXHAUSTED),
  /// There is no memory for what comes.
  NO_MEMORY(GrpcStatus.RESOURCE_EXHAUSTED),
  /// There is no room for another call.
  BUSY(GrpcStatus.UNAVAILABLE),
  /// A message cannot be read.
  BAD_MESSAGE(GrpcStatus.INVALID_ARGUMENT),
  /// A tensor cannot be put together.
  BAD_TENSOR(GrpcStatus.INVALID_ARGUMENT),
  /// Compressed or JSON messages.
  NOT_SPOKEN(GrpcStatus.UNIMPLEMENTED),
  /// The function is not registered for export.
  NOT_EXPORTED(GrpcStatus.PERMISSION_DENIED),
  /// An argument does not fit the function.
  BAD_ARGUMENT(GrpcStatus.INVALID_ARGUMENT),
  /// Nobody has this name.
  UNKNOWN_WORKER(GrpcStatus.NOT_FOUND),
  /// The worker left while it ran the call.
  WORKER_LOST(GrpcStatus.UNAVAILABLE),
  /// The function threw.
  METHOD_FAILED(GrpcStatus.UNKNOWN),
  /// This worker serves no model.
  NO_MODEL(GrpcStatus.FAILED_PRECONDITION),
  /// The model has no parameter of this name.
  UNKNOWN_PARAMETER(GrpcStatus.NOT_FOUND),
  /// A gradient is not of its parameter's shape and type.
  BAD_GRADIENT(GrpcStatus.INVALID_ARGUMENT),
  /// No trainers are expected, so that a round would never be full.
  NO_ROUNDS(GrpcStatus.FAILED_PRECONDITION),
  /// All trainers that are expected have come.
  TOO_MANY_TRAINERS(GrpcStatus.FAILED_PRECONDITION),
  /// A trainer of this name has a stream that is open.
  TRAINER_IS_THERE(GrpcStatus.ALREADY_EXISTS),
  /// The examples are not of the model's shape.
  BAD_EXAMPLES(GrpcStatus.INVALID_ARGUMENT),
  /// The caller neither sent nor took anything for too long.
  IDLE(GrpcStatus.DEADLINE_EXCEEDED),
  /// The time is up.
  DEADLINE(GrpcStatus.DEADLINE_EXCEEDED),
  /// The caller has given up, or is gone.
  CANCELLED(GrpcStatus.CANCELLED),
  /// This worker is about to end.
  CLOSING(GrpcStatus.UNAVAILABLE),
  /// A mistake of ours.
  INTERNAL(GrpcStatus.INTERNAL);

  private final GrpcStatus status;

  Reason(GrpcStatus status) {
    this.status = status;
  }

  /// gRPC's own code.
  public GrpcStatus status() {
    return status;
  }
}
