// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tensorbus.autograd.file.AtomicFile;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.json.JsonObject;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// A profile in Chrome's Trace Event Format, with a process for each worker, including idle ones,
/// and tracks for its threads. Arrows lead from calls to their methods and from sent gradients to
/// received ones.
///
/// Since many threads run only one method, the threads with the same name share tracks, and only as
/// many as keep events from overlapping. Asynchronous calls have separate tracks, since they may
/// outlive their parents.
final class ChromeTrace {
  private static final String ASYNC = "asynchronous calls";

  private final Profile profile;
  private final Map<Group, List<Track>> groups = new LinkedHashMap<>();
  private final IdentityHashMap<FunctionEvent, Track> places = new IdentityHashMap<>();

  ChromeTrace(Profile profile) {
    this.profile = profile;
    IdentityHashMap<FunctionEvent, Boolean> within = new IdentityHashMap<>();
    for (FunctionEvent event : profile.events()) {
      event.children().stream()
          .filter(child -> !isApart(event, child))
          .forEach(child -> within.put(child, true));
    }
    for (FunctionEvent event : profile.events()) {
      if (!within.containsKey(event)) {
        place(event, track(event));
      }
    }
  }

  /// The threads with the same name on one worker.
  private record Group(WorkerInfo worker, String thread) {}

  /// A track on which no events overlap.
  private static final class Track {
    private final WorkerInfo worker;
    private final int number;
    private final String name;
    private long end = Long.MIN_VALUE;

    private Track(WorkerInfo worker, int number, String name) {
      this.worker = worker;
      this.number = number;
      this.name = name;
    }
  }

  /// Returns whether a child belongs on a different track from its parent, because it is an
  /// asynchronous call or belongs to another worker in the same process.
  private static boolean isApart(FunctionEvent parent, FunctionEvent child) {
    return child.isAsync() || !child.worker().equals(parent.worker());
  }

  private Track track(FunctionEvent event) {
    String thread = event.isAsync() ? ASYNC : event.thread();
    List<Track> tracks =
        groups.computeIfAbsent(new Group(event.worker(), thread), _ -> new ArrayList<>());
    for (Track track : tracks) {
      if (track.end <= event.startNanos()) {
        return track;
      }
    }
    int number = groups.values().stream().mapToInt(List::size).sum() + 1;
    String name = tracks.isEmpty() ? thread : thread + " " + (tracks.size() + 1);
    Track added = new Track(event.worker(), number, name);
    tracks.add(added);
    return added;
  }

  private void place(FunctionEvent event, Track track) {
    places.put(event, track);
    track.end = Math.max(track.end, event.endNanos());
    event.children().stream()
        .filter(child -> !isApart(event, child))
        .forEach(child -> place(child, track));
  }

  void write(Path file) throws IOException {
    AtomicFile.write(file, this::write);
  }

  private void write(FileChannel file) throws IOException {
    Writer out = new BufferedWriter(Channels.newWriter(file, UTF_8));
    out.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    String between = "";
    for (JsonObject event : all()) {
      out.write(between);
      out.write(event.encode());
      between = ",\n";
    }
    out.write("\n]}\n");
    out.flush();
  }

  private List<JsonObject> all() {
    List<JsonObject> all = new ArrayList<>();
    Stream.concat(profile.workers().stream(), groups.keySet().stream().map(Group::worker))
        .distinct()
        .forEach(worker -> all.add(metadata("process_name", pid(worker), 0, nameOf(worker))));
    groups.values().stream()
        .flatMap(List::stream)
        .forEach(
            track -> all.add(metadata("thread_name", pid(track.worker), track.number, track.name)));
    profile.events().forEach(event -> all.add(complete(event)));
    for (int id = 0; id < profile.flows().size(); id++) {
      Profile.Flow flow = profile.flows().get(id);
      all.add(arrow("s", id, flow, flow.from()));
      all.add(arrow("f", id, flow, flow.to()).put("bp", "e"));
    }
    return all;
  }

  /// Returns a worker's process id in the trace. Perfetto reserves 0 for the kernel.
  private static int pid(WorkerInfo worker) {
    return worker.id() + 1;
  }

  private static String nameOf(WorkerInfo worker) {
    return worker.name() + " (rank " + worker.id() + ")";
  }

  private static JsonObject metadata(String what, int pid, int tid, String name) {
    return new JsonObject()
        .put("ph", "M")
        .put("name", what)
        .put("pid", pid)
        .put("tid", tid)
        .put("args", new JsonObject().put("name", name));
  }

  private JsonObject complete(FunctionEvent event) {
    JsonObject details = new JsonObject().put("name", event.name());
    if (!event.shapes().isEmpty()) {
      details.put("shapes", event.shapes());
    }
    if (event.bytes() > 0) {
      details.put("bytes", event.bytes());
    }
    return at(event, event.startNanos())
        .put("ph", "X")
        .put("name", event.ownName())
        .put("cat", event.kind().category())
        .put("dur", event.nanos() / 1e3)
        .put("args", details);
  }

  private JsonObject arrow(String phase, int id, Profile.Flow flow, FunctionEvent end) {
    return at(end, end.startNanos())
        .put("ph", phase)
        .put("id", id)
        .put("name", flow.to().kind() == EventKind.METHOD ? "call" : "gradients")
        .put("cat", "flow");
  }

  private JsonObject at(FunctionEvent event, long nanos) {
    Track track = Objects.requireNonNull(places.get(event));
    return new JsonObject()
        .put("pid", pid(track.worker))
        .put("tid", track.number)
        .put("ts", nanos / 1e3);
  }
}
