// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteFunction.A1;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.ControlCalls;
import io.vertx.core.Future;
import java.util.List;

/// Tells the other workers of a world that this worker has joined.
///
/// @param self this worker
/// @param membership the world
/// @param control sends the introductions
public record Introduction(Member self, Membership membership, ControlCalls control) {
  /// Introduces this worker to each other worker. The future completes when all have answered or
  /// left.
  public Future<?> send() {
    Call<Void> welcome = Call.of((A1<String, Void>) Introduction::welcome, self.encode());
    List<Future<Void>> greetings =
        membership.members().stream()
            .filter(other -> !other.equals(self))
            .map(other -> control.send(other.sender(), welcome))
            .map(Future::otherwiseEmpty)
            .toList();
    return Future.join(greetings);
  }

  /// Records that the caller has joined. The future completes when the caller can be called.
  @Remote
  static Future<Void> welcome(String member) {
    Member introduced = Member.decode(member);
    if (!introduced.sender().equals(CallContext.current().sender())) {
      throw new IllegalArgumentException(
          Rpc.caller()
              + " introduces "
              + introduced.info()
              + "; a worker may introduce only itself");
    }
    return CallContext.part(Membership.class).see(introduced).mapEmpty();
  }
}
