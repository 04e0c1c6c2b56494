// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The recordings requested from this worker, by profile id, and the remote methods that control
/// them. A recording is discarded if the worker that requested it is lost.
final class Recordings {
  /// The ids of the profiles for which a worker of this process records. The process needs only one
  /// recording per profile.
  private static final Set<String> IDS = ConcurrentHashMap.newKeySet();

  /// The maximum number of events in a message.
  private static final int PAGE = 5_000;

  /// The maximum number of events in a recording: more than a browser can display well.
  private static final int MOST = 200_000;

  /// The maximum number of concurrent recordings. Each occupies memory and disk space.
  private static final int MOST_AT_ONCE = 16;

  private final Map<String, Asked> running = new ConcurrentHashMap<>();

  private Recordings(Rpc rpc) {
    rpc.onWorkerLost(gone -> discardOf(gone.name()));
  }

  /// A recording and the worker that requested it.
  private static final class Asked {
    private final String by;
    private final LocalRecording recording;
    private @Nullable Queue<LocalEvent> events;
    private long leftOut;

    private Asked(String by) {
      this.by = by;
      recording = LocalRecording.start();
    }

    private synchronized EventPage next() {
      if (events == null) {
        List<LocalEvent> all = recording.events();
        leftOut = Math.max(0, all.size() - MOST);
        events = new ArrayDeque<>(all.subList(0, Math.min(all.size(), MOST)));
      }
      List<LocalEvent> page = new ArrayList<>();
      while (page.size() < PAGE && !events.isEmpty()) {
        page.add(events.remove());
      }
      return new EventPage(page, events.isEmpty(), leftOut);
    }
  }

  private static Recordings here() {
    Rpc rpc = Rpc.current();
    return rpc.shared(Recordings.class, () -> new Recordings(rpc));
  }

  /// Starts a recording.
  ///
  /// @return false if another worker of this process has started it already
  /// @throws IllegalStateException if this process has too many recordings
  @Remote
  static boolean start(String profile) {
    Recordings here = here();
    if (IDS.size() >= MOST_AT_ONCE) {
      throw new IllegalStateException(
          "profiler: this process already records %d profiles; stop one first"
              .formatted(MOST_AT_ONCE));
    }
    if (!IDS.add(profile)) {
      return false;
    }
    try {
      here.running.put(profile, new Asked(Rpc.caller().name()));
    } catch (RuntimeException | Error e) { // for example, if this JVM has no Flight Recorder
      IDS.remove(profile);
      throw e;
    }
    return true;
  }

  /// Returns the time of this host in nanoseconds since 1970.
  @Remote(execution = Execution.EVENT_LOOP)
  static long clock() {
    return EventFields.now();
  }

  /// Stops a recording, which can then be fetched.
  @Remote
  static void stop(String profile) {
    here().find(profile).recording.stop();
  }

  /// Returns the next events of a stopped recording, ordered by start. The recording is discarded
  /// when its last events have been returned, or if it cannot be read.
  @Remote
  static EventPage next(String profile) {
    Recordings here = here();
    Asked asked = here.find(profile);
    boolean isLast = true;
    try {
      EventPage page = asked.next();
      isLast = page.isLast();
      return page;
    } finally {
      if (isLast) {
        here.discard(profile);
      }
    }
  }

  /// Returns a recording that the caller has requested. Other workers may not stop or read it.
  private Asked find(String profile) {
    Asked asked = running.get(profile);
    if (asked == null || !asked.by.equals(Rpc.caller().name())) {
      throw new IllegalArgumentException(
          "profiler: this worker has no recording %s of %s".formatted(profile, Rpc.caller()));
    }
    return asked;
  }

  private void discardOf(String worker) {
    running.forEach(
        (profile, asked) -> {
          if (asked.by.equals(worker)) {
            discard(profile);
          }
        });
  }

  private void discard(String profile) {
    Asked asked = running.remove(profile);
    if (asked != null) {
      IDS.remove(profile);
      asked.recording.discard();
    }
  }
}
