// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// A snapshot of one worker's state, as returned by `Rpc.status()`. It includes the oldest 64 calls
/// of each kind.
///
/// @param worker the name of the worker
/// @param rank the rank of the worker
/// @param host the address at which other workers reach the worker
/// @param pid the process id
/// @param uptimeMs milliseconds since the worker was opened
/// @param counts the result of `Rpc.debugInfo()`
/// @param sentBytes the result of `Rpc.sentBytes()`
/// @param peers the other workers that the worker knows, ordered by rank
/// @param calls the worker's calls that have not been answered yet
/// @param serving the calls, of any caller, that are queued or running on the worker
/// @param lost the names of the other workers that the worker has lost
public record WorkerStatus(
    String worker,
    int rank,
    String host,
    long pid,
    long uptimeMs,
    Map<String, Long> counts,
    Map<String, Long> sentBytes,
    List<PeerStatus> peers,
    List<AwaitedCall> calls,
    List<ServingCall> serving,
    List<String> lost) {
  /// Copies the lists and maps.
  public WorkerStatus {
    counts = Map.copyOf(counts);
    sentBytes = Map.copyOf(sentBytes);
    peers = List.copyOf(peers);
    calls = List.copyOf(calls);
    serving = List.copyOf(serving);
    lost = List.copyOf(lost);
  }

  /// Returns this status as JSON.
  public JsonObject toJson() {
    return new JsonObject()
        .put("worker", worker)
        .put("rank", rank)
        .put("host", host)
        .put("pid", pid)
        .put("uptimeMs", uptimeMs)
        .put("counts", object(counts))
        .put("sentBytes", object(sentBytes))
        .put("peers", array(peers, PeerStatus::toJson))
        .put("calls", array(calls, AwaitedCall::toJson))
        .put("serving", array(serving, ServingCall::toJson))
        .put("lost", new JsonArray(lost));
  }

  private static JsonObject object(Map<String, Long> counts) {
    JsonObject object = new JsonObject();
    new TreeMap<>(counts).forEach(object::put);
    return object;
  }

  private static <T> JsonArray array(List<T> list, Function<T, JsonObject> toJson) {
    return new JsonArray(list.stream().map(toJson).toList());
  }

  /// Parses a status that [#toJson] returned. Unknown fields are ignored.
  ///
  /// @throws IllegalArgumentException if the object is not a status, or contains a string or list
  ///     that is too long
  public static WorkerStatus fromJson(JsonObject json) {
    Fields fields = new Fields(json);
    return new WorkerStatus(
        fields.text("worker"),
        (int) fields.whole("rank"),
        fields.text("host"),
        fields.whole("pid"),
        fields.whole("uptimeMs"),
        fields.counts("counts"),
        fields.counts("sentBytes"),
        fields.objects("peers", PeerStatus::from),
        fields.objects("calls", AwaitedCall::from),
        fields.objects("serving", ServingCall::from),
        fields.texts("lost"));
  }
}
