// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.optim.server.ModelServerException;
import dev.tensorbus.rpc.EvictedException;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.RendezvousException;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerBusyException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;

/// Maps the exceptions of all methods to the statuses that clients receive.
public final class GrpcStatusExceptions {
  private static final Logger LOG = System.getLogger(GrpcStatusExceptions.class.getName());
  private static final Duration MOMENT = Duration.ofSeconds(1);

  /// The class names of the exceptions that a function throws for invalid arguments.
  private static final Set<String> MISFITS =
      Set.of(ShapeException.class.getName(), IllegalArgumentException.class.getName());

  private GrpcStatusExceptions() {}

  /// Returns the status for a failure.
  public static GrpcStatusException of(Throwable failure) {
    return switch (failure) {
      case GrpcStatusException refusal -> refusal;
      case RpcException error -> of(error);
      case ModelServerException refusal -> of(refusal);
      case CancellationException error -> cancelled(error);
      case InterruptedException error -> cancelled(error);
      default -> unexpected(failure);
    };
  }

  /// Returns the status for a call that is refused because there is no capacity for it.
  public static GrpcStatusException busy(String message) {
    return new GrpcStatusException(Reason.BUSY, message).withRetryAfter(MOMENT);
  }

  private static GrpcStatusException of(ModelServerException refusal) {
    return switch (refusal.reason()) {
      case UNKNOWN_PARAMETER -> refusal(Reason.UNKNOWN_PARAMETER, refusal);
      case BAD_GRADIENT -> refusal(Reason.BAD_GRADIENT, refusal);
      case NON_FINITE_GRADIENT ->
          refusal(Reason.BAD_GRADIENT, refusal, ", or start the worker with --grpc-skip-nonfinite");
      case READ_ONLY ->
          refusal(Reason.READ_ONLY, refusal, ", or train with --servers N and --grpc-trainers N");
      case NO_SERVER -> refusal(Reason.NO_SERVER, refusal);
      case TRAINER_IS_THERE -> refusal(Reason.TRAINER_IS_THERE, refusal);
      case BAD_EXAMPLES -> refusal(Reason.BAD_EXAMPLES, refusal);
      case CLOSING -> refusal(Reason.CLOSING, refusal);
    };
  }

  /// @param cure advice about a command-line option, which the failure's own message cannot know
  private static GrpcStatusException refusal(Reason reason, Throwable failure, String cure) {
    return new GrpcStatusException(reason, failure.getMessage() + cure);
  }

  private static GrpcStatusException of(RpcException error) {
    return switch (error) {
      case NoSuchWorkerException gone ->
          refusal(gone.mayHaveRun() ? Reason.WORKER_LOST : Reason.UNKNOWN_WORKER, gone)
              .withMetadata(Map.of("worker", gone.worker()));
      case RpcTimeoutException late -> refusal(Reason.DEADLINE, late);
      case WorkerBusyException busy -> busy(String.valueOf(busy.getMessage()));
      case RemoteException thrown ->
          refusal(
                  MISFITS.contains(thrown.remoteType())
                      ? Reason.BAD_ARGUMENT
                      : Reason.METHOD_FAILED,
                  thrown)
              .withMetadata(Map.of("worker", thrown.worker(), "type", thrown.remoteType()));
      case WireException wire ->
          refusal(wire.mayHaveRun() ? Reason.METHOD_FAILED : Reason.BAD_ARGUMENT, wire);
      case RendezvousException early -> refusal(Reason.CLOSING, early);
      case EvictedException evicted -> refusal(Reason.CLOSING, evicted);
    };
  }

  private static GrpcStatusException refusal(Reason reason, Throwable failure) {
    return new GrpcStatusException(reason, String.valueOf(failure.getMessage()));
  }

  private static GrpcStatusException cancelled(Exception error) {
    String message = error.getMessage();
    return new GrpcStatusException(
        Reason.CANCELLED, message == null ? "the call was cancelled" : message);
  }

  /// Logs the failure but does not send its message, since that may contain internal details.
  private static GrpcStatusException unexpected(Throwable failure) {
    LOG.log(Level.WARNING, "a gRPC call failed with an internal error", failure);
    return new GrpcStatusException(
        Reason.INTERNAL, "this worker failed; its log says why: " + failure.getClass().getName());
  }
}
