// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.server.DynamicThresholds.Peer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The calls whose callers may send more, the longest silent first. A host that has all of its
/// places taken by such calls gives one up for another connection of the same host, so that a
/// client that opens streams and says nothing locks out no client beside it.
final class SilentCalls {
  private final Set<AdmittedCall> calls = new LinkedHashSet<>();

  synchronized void add(AdmittedCall call) {
    calls.add(call);
  }

  /// The caller has sent something.
  synchronized void hear(AdmittedCall call) {
    if (calls.remove(call)) {
      calls.add(call);
    }
  }

  /// The caller has sent all, or the call is over.
  synchronized void remove(AdmittedCall call) {
    calls.remove(call);
  }

  /// Removes the call that has been silent longest of the connection of this host that has the most
  /// of them; null if the peer's own would have as many then.
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
