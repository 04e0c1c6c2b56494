// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerBusyException;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GrpcStatusExceptionsTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new NoSuchWorkerException("w", "no worker", false), Reason.UNKNOWN_WORKER),
        arguments(new NoSuchWorkerException("w", "w has left", true), Reason.WORKER_LOST),
        arguments(new RpcTimeoutException("w did not answer"), Reason.DEADLINE),
        arguments(new WorkerBusyException("w", "A.b", "3 calls run"), Reason.BUSY),
        arguments(new WireException("cannot be encoded", null, false), Reason.BAD_ARGUMENT),
        arguments(new WireException("cannot be encoded", null, true), Reason.METHOD_FAILED),
        arguments(thrown(ShapeException.class), Reason.BAD_ARGUMENT),
        arguments(thrown(IllegalStateException.class), Reason.METHOD_FAILED),
        arguments(new CancellationException(), Reason.CANCELLED),
        arguments(new InterruptedException(), Reason.CANCELLED));
  }

  private static RemoteException thrown(Class<?> type) {
    return new RemoteException("w", "A.b", type.getName(), "no", "", true);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void eachFailureHasItsReason(Exception failure, Reason reason) {
    assertThat(GrpcStatusExceptions.of(failure).reason()).isEqualTo(reason);
  }

  @Test
  void whatIsOurOwnMistakeIsNotToldToStrangers() {
    GrpcStatusException refusal = GrpcStatusExceptions.of(new IllegalStateException("secret"));
    assertThat(refusal.reason()).isEqualTo(Reason.INTERNAL);
    assertThat(refusal)
        .hasMessage("this worker failed; its log says why: java.lang.IllegalStateException");
  }
}
