// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import io.vertx.grpc.common.GrpcStatus;

/// The reason why a call failed, with its gRPC status code. The reason is sent in the error's
/// `ErrorInfo`.
public enum Reason {
  /// The gateway requires a token, and the call has none.
  NO_TOKEN(GrpcStatus.UNAUTHENTICATED),
  /// The token is wrong.
  WRONG_TOKEN(GrpcStatus.UNAUTHENTICATED),
  /// The token does not permit the call.
  NO_RIGHT(GrpcStatus.PERMISSION_DENIED),
  /// The client's host exceeds its rate of calls.
  TOO_MANY_CALLS(GrpcStatus.RESOURCE_EXHAUSTED),
  /// A message is too large.
  MESSAGE_TOO_LARGE(GrpcStatus.RESOURCE_EXHAUSTED),
  /// The tensors of one call are too large.
  TENSORS_TOO_LARGE(GrpcStatus.RESOURCE_EXHAUSTED),
  /// There is no memory for the call's data.
  NO_MEMORY(GrpcStatus.RESOURCE_EXHAUSTED),
  /// There is no capacity for another call.
  BUSY(GrpcStatus.UNAVAILABLE),
  /// A message cannot be read.
  BAD_MESSAGE(GrpcStatus.INVALID_ARGUMENT),
  /// A tensor is malformed or incomplete.
  BAD_TENSOR(GrpcStatus.INVALID_ARGUMENT),
  /// The messages are compressed or JSON, which is not supported.
  NOT_SPOKEN(GrpcStatus.UNIMPLEMENTED),
  /// The function is not exported.
  NOT_EXPORTED(GrpcStatus.PERMISSION_DENIED),
  /// An argument is invalid for the function.
  BAD_ARGUMENT(GrpcStatus.INVALID_ARGUMENT),
  /// There is no worker with this name.
  UNKNOWN_WORKER(GrpcStatus.NOT_FOUND),
  /// The worker was lost while it ran the call.
  WORKER_LOST(GrpcStatus.UNAVAILABLE),
  /// The function threw an exception, or its result cannot be sent.
  METHOD_FAILED(GrpcStatus.UNKNOWN),
  /// This worker serves no model.
  NO_MODEL(GrpcStatus.FAILED_PRECONDITION),
  /// The model has no parameter with this name.
  UNKNOWN_PARAMETER(GrpcStatus.NOT_FOUND),
  /// A gradient has the wrong shape or type, is not finite, or occurs twice.
  BAD_GRADIENT(GrpcStatus.INVALID_ARGUMENT),
  /// Only trainers of the world train the model.
  READ_ONLY(GrpcStatus.FAILED_PRECONDITION),
  /// No parameter server has the parameters.
  NO_SERVER(GrpcStatus.UNAVAILABLE),
  /// A trainer with this name already has an open stream.
  TRAINER_IS_THERE(GrpcStatus.ALREADY_EXISTS),
  /// The examples do not have the shape that the model expects.
  BAD_EXAMPLES(GrpcStatus.INVALID_ARGUMENT),
  /// The caller did not send or read the next message in time.
  IDLE(GrpcStatus.DEADLINE_EXCEEDED),
  /// The deadline has passed.
  DEADLINE(GrpcStatus.DEADLINE_EXCEEDED),
  /// The caller cancelled or disconnected.
  CANCELLED(GrpcStatus.CANCELLED),
  /// This worker is shutting down.
  CLOSING(GrpcStatus.UNAVAILABLE),
  /// An internal error.
  INTERNAL(GrpcStatus.INTERNAL);

  private final GrpcStatus status;

  Reason(GrpcStatus status) {
    this.status = status;
  }

  /// Returns the gRPC status code.
  public GrpcStatus status() {
    return status;
  }
}
