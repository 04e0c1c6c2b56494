// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.server.DynamicThresholds.Peer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The calls whose callers may still send, longest silent first. If such calls use up a host's
/// capacity, one of them is evicted to make room for another connection from the same host. A
/// client that opens streams and sends nothing therefore cannot block other clients on its host.
final class SilentCalls {
  private final Set<AdmittedCall> calls = new LinkedHashSet<>();

  synchronized void add(AdmittedCall call) {
    calls.add(call);
  }

  /// Records that the caller has sent data.
  synchronized void hear(AdmittedCall call) {
    if (calls.remove(call)) {
      calls.add(call);
    }
  }

  /// Removes a call that has ended or whose caller has half-closed.
  synchronized void remove(AdmittedCall call) {
    calls.remove(call);
  }

  /// Finds the connection with the most silent calls among those from the peer's host, and removes
  /// and returns its longest silent call. Returns null unless that connection would still have more
  /// silent calls than the peer's own connection.
  synchronized @Nullable AdmittedCall takeFor(Peer peer) {
    Map<Object, Integer> byConnection = new HashMap<>();
    calls.stream()
        .map(AdmittedCall::peer)
        .filter(other -> other.host().equals(peer.host()))
        .forEach(other -> byConnection.merge(other.connection(), 1, Integer::sum));
    int own = byConnection.getOrDefault(peer.connection(), 0);
    int most = byConnection.values().stream().mapToInt(n -> n).max().orElse(0);
    if (most - 1 <= own) {
      return null;
    }
    AdmittedCall longest =
        calls.stream()
            .filter(call -> byConnection.getOrDefault(call.peer().connection(), 0) == most)
            .findFirst()
            .orElse(null);
    calls.remove(longest);
    return longest;
  }
}
