// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.jfr.BackwardEvent;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/// Reads the fields of one event of a recording.
///
/// @param event an event of one of Tensorbus's types
record EventFields(RecordedEvent event) {
  LocalEvent operation() {
    String shapes = text("shapes");
    return local(EventKind.OPERATION, text("operation"), shapes, "", "", 0, 0, thread(), false);
  }

  LocalEvent block() {
    RecordedThread began = event.getThread("began");
    boolean isAsync = idOf(began) != idOf(thread());
    return local(EventKind.RECORD_FUNCTION, text("block"), "", "", "", 0, 0, began, isAsync);
  }

  LocalEvent call() {
    String mode = text("mode");
    return local(
        EventKind.CALL,
        text("function"),
        mode,
        text("caller"),
        text("callee"),
        0,
        event.getLong("number"),
        event.getThread("began"),
        !mode.equals("rpcSync"));
  }

  LocalEvent method() {
    return local(
        EventKind.METHOD,
        text("function"),
        "",
        text("callee"),
        text("caller"),
        0,
        event.getLong("number"),
        thread(),
        false);
  }

  LocalEvent backward() {
    String part = text("part");
    EventKind kind =
        switch (part) {
          case BackwardEvent.SEND -> EventKind.SEND;
          case BackwardEvent.RECEIVE -> EventKind.RECEIVE;
          default -> EventKind.BACKWARD;
        };
    return local(
        kind,
        part,
        "",
        text("worker"),
        text("peer"),
        event.getLong("context"),
        event.getLong("message"),
        thread(),
        false);
  }

  private LocalEvent local(
      EventKind kind,
      String name,
      String detail,
      String worker,
      String peer,
      long context,
      long number,
      @Nullable RecordedThread began,
      boolean isAsync) {
    return new LocalEvent(
        kind,
        name,
        detail,
        worker,
        peer,
        context,
        number,
        nameOf(began),
        idOf(began),
        isAsync,
        nanos(event.getStartTime()),
        event.getDuration().toNanos(),
        kind == EventKind.OPERATION ? event.getLong("bytes") : 0);
  }

  private String text(String field) {
    return Objects.requireNonNullElse(event.getString(field), "");
  }

  private @Nullable RecordedThread thread() {
    return event.getThread();
  }

  private static long idOf(@Nullable RecordedThread thread) {
    return thread == null ? 0 : thread.getJavaThreadId();
  }

  private static String nameOf(@Nullable RecordedThread thread) {
    String name = thread == null ? null : thread.getJavaName();
    return name == null || name.isEmpty() ? "thread" : name;
  }

  /// Returns the time of the wall clock in nanoseconds since 1970.
  static long now() {
    return nanos(Instant.now());
  }

  /// Converts an instant to nanoseconds since 1970.
  static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }
}
