// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The actions of one schedule's actors, and their outcomes.
final class Trace {
  private static final Pattern EXPLAINED =
      Pattern.compile("did not answer|its creation failed|is closed");

  private static final Pattern GONE = Pattern.compile("reference (\\S+) no longer exists");

  /// Never the same twice, so that what comes late from one schedule is not taken for another's.
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final Map<String, Creation> creations = new ConcurrentHashMap<>();

  /// One step of one actor.
  ///
  /// @param number of its call; 0 if it makes none that counts
  /// @param error what it ended with, or null if it succeeded
  record Step(String worker, int number, String what, @Nullable Throwable error, Duration time) {
    /// Whether its error, if it has one, says that the method has not run.
    boolean saysNotRun() {
      return error instanceof RpcException honest && !honest.mayHaveRun();
    }

    @Override
    public String toString() {
      return worker
          + " #"
          + number
          + " "
          + what
          + " in "
          + time.toMillis()
          + " ms"
          + (error == null ? "" : ": " + error);
    }
  }

  /// An object that references point at: the only value of its tensor, and when it is there.
  record Creation(int number, Future<Void> done) {}

  /// Whether a step ended well or with an error that a fault explains: no answer in time, here or
  /// further on, or a reference that was given up or has come to nothing.
  boolean isHonest(Step step) {
    Throwable error = step.error();
    return error == null
        || error instanceof RpcTimeoutException
        || EXPLAINED.matcher(String.valueOf(error.getMessage())).find()
        || hasComeToNothing(GONE.matcher(String.valueOf(error.getMessage())));
  }

  private boolean hasComeToNothing(Matcher gone) {
    return gone.find() && Objects.requireNonNull(creations.get(gone.group(1))).done().failed();
  }

  int newNumber() {
    return NUMBERS.incrementAndGet();
  }

  void step(Rpc rpc, int number, String what, Runnable body) {
    long start = System.nanoTime();
    Throwable error = null;
    try {
      body.run();
    } catch (RuntimeException | AssertionError e) {
      error = e;
    }
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    steps.add(new Step(rpc.self().name(), number, what, error, time));
  }

  void created(RRef<?> reference, int number) {
    creations.put(name(reference), new Creation(number, reference.created()));
  }

  /// The object behind a reference.
  Creation creation(RRef<?> reference) {
    return Objects.requireNonNull(creations.get(name(reference)));
  }

  /// Checks that a reference has given what it points at.
  void require(RRef<?> reference, Tensor value) {
    assertThat(value.values())
        .as(reference::toString)
        .containsExactly(creation(reference).number());
  }

  /// The same for all references to one object.
  static String name(RRef<?> reference) {
    return reference.toString().split(" ")[1];
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }
}
