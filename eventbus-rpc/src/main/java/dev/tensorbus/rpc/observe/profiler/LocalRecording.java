// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.autograd.profiler.OperationEvent;
import dev.tensorbus.autograd.profiler.RecordFunctionEvent;
import dev.tensorbus.rpc.jfr.BackwardEvent;
import dev.tensorbus.rpc.jfr.CallEvent;
import dev.tensorbus.rpc.jfr.MethodEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// A Flight Recorder recording of this process. Several may be active concurrently.
final class LocalRecording {
  private static final List<Class<? extends Event>> EVENTS =
      List.of(
          OperationEvent.class,
          RecordFunctionEvent.class,
          CallEvent.class,
          MethodEvent.class,
          BackwardEvent.class);

  /// A recording that is never stopped ends after this time.
  private static final Duration LONGEST = Duration.ofHours(1);

  /// The maximum size of a recording. Beyond it, the oldest events are dropped.
  private static final long MOST_BYTES = 256L << 20;

  private final Recording recording = new Recording();

  private LocalRecording() {}

  static LocalRecording start() {
    LocalRecording started = new LocalRecording();
    started.recording.setName("tensorbus profiler");
    started.recording.setDuration(LONGEST);
    started.recording.setMaxSize(MOST_BYTES);
    EVENTS.forEach(type -> started.recording.enable(type).withoutThreshold().withoutStackTrace());
    started.recording.start();
    return started;
  }

  void stop() {
    if (recording.getState() == RecordingState.RUNNING) {
      recording.stop();
    }
  }

  /// Returns all recorded events, ordered by start.
  List<LocalEvent> events() {
    try {
      Path file = Files.createTempFile("tensorbus-profile", ".jfr");
      try {
        recording.dump(file);
        return read(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("profiler: the recording cannot be read: " + e, e);
    }
  }

  void discard() {
    recording.close();
  }

  private static List<LocalEvent> read(Path file) throws IOException {
    List<LocalEvent> events = new ArrayList<>();
    try (RecordingFile recorded = new RecordingFile(file)) {
      while (recorded.hasMoreEvents()) {
        add(recorded.readEvent(), events);
      }
    }
    events.sort(Comparator.comparingLong(LocalEvent::start));
    return events;
  }

  private static void add(RecordedEvent event, List<LocalEvent> to) {
    EventFields fields = new EventFields(event);
    switch (event.getEventType().getName()) {
      case OperationEvent.NAME -> to.add(fields.operation());
      case RecordFunctionEvent.NAME -> to.add(fields.block());
      case CallEvent.NAME -> to.add(fields.call());
      case MethodEvent.NAME -> to.add(fields.method());
      case BackwardEvent.NAME -> to.add(fields.backward());
      default -> {} // an event of the JDK
    }
  }
}
