// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.grpc.v1.PushHead;
import dev.tensorbus.grpc.v1.TrainerChange;
import dev.tensorbus.grpc.v1.TrainerState;
import dev.tensorbus.grpc.v1.WatchResponse;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.Push;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One trainer's stream of pushes. Not thread-safe.
final class PushStream {
  private final ModelServer model;
  private final WatchEvents events;
  private final Supplier<TensorReader> readers;

  /// The trainer that has joined, or null.
  private @Nullable String trainer;

  private @Nullable PushHead head;
  private TensorReader reader;

  /// @param readers creates a reader for the tensors of a push
  PushStream(ModelServer model, WatchEvents events, Supplier<TensorReader> readers) {
    this.model = model;
    this.events = events;
    this.readers = readers;
    this.reader = readers.get();
  }

  /// Handles a message. If it completes a push, waits until the model has been updated and returns
  /// the response; otherwise returns null.
  @Nullable PushGradientsResponse take(PushGradientsRequest message) throws InterruptedException {
    if (message.hasHead()) {
      begin(message.getHead());
    }
    PushHead present = head;
    if (present == null) {
      throw bad("the first message of a push has no head");
    }
    reader.add(message.getPartsList());
    if (!message.getLast()) {
      return null;
    }
    head = null;
    Push push =
        new Push(
            present.getTrainer(),
            gradients(reader.tensors()),
            present.getLoss(),
            present.getExamples());
    long version = await(model.push(push));
    reader.release();
    return PushGradientsResponse.newBuilder().setVersion(version).build();
  }

  private static Map<String, Tensor> gradients(List<NamedTensor> named) {
    Map<String, Tensor> gradients = new LinkedHashMap<>();
    for (NamedTensor gradient : named) {
      if (gradients.put(gradient.name(), gradient.tensor()) != null) {
        throw new GrpcStatusException(
            Reason.BAD_GRADIENT,
            "gradient \"%s\" occurs twice in one push".formatted(gradient.name()));
      }
    }
    return gradients;
  }

  private void begin(PushHead next) {
    requireComplete();
    if (trainer == null) {
      join(next.getTrainer());
    } else if (!trainer.equals(next.getTrainer())) {
      throw bad(
          "a push by \"%s\" in the stream of \"%s\"; open a stream for each trainer"
              .formatted(next.getTrainer(), trainer));
    }
    head = next;
    reader = readers.get();
  }

  private void join(String name) {
    if (name.isEmpty()) {
      throw bad("a push has no trainer; set trainer in its head");
    }
    model.join(name);
    trainer = name;
    tell(name, TrainerState.TRAINER_STATE_JOINED);
  }

  private void tell(String name, TrainerState state) {
    events.tell(
        WatchResponse.newBuilder()
            .setTrainer(TrainerChange.newBuilder().setTrainer(name).setState(state))
            .build());
  }

  private static long await(Future<Long> version) throws InterruptedException {
    try {
      return version.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    }
  }

  /// @throws GrpcStatusException if a push has started but is not complete
  void requireComplete() {
    if (head != null) {
      throw bad("a push is not complete; set last in its last message");
    }
  }

  private static GrpcStatusException bad(String message) {
    return new GrpcStatusException(Reason.BAD_MESSAGE, message);
  }

  /// Ends the trainer's membership, if it has joined.
  void leave(TrainerState state) {
    if (trainer != null) {
      if (state == TrainerState.TRAINER_STATE_LOST) {
        model.lose(trainer);
      } else {
        model.leave(trainer);
      }
      tell(trainer, state);
    }
  }
}
