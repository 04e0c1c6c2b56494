// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.ProcessWorld;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;

/// A voter in a process of its own. The voters agree on a list of numbers.
final class VoterProcess {
  static final List<String> NAMES = List.of("voter1", "voter2", "voter3");

  private static final Promise<RaftViews<List<Integer>, Integer>> VIEWS = Promise.promise();

  private VoterProcess() {}

  public static void main(String[] args) {
    Rpc rpc = ProcessWorld.join(args, NAMES);
    VIEWS.complete(
        (RaftViews<List<Integer>, Integer>)
            RaftViews.open(
                rpc, NAMES, List.<Integer>of(), ViewsContract::add, rpc.heartbeatTimeout()));
    ForkedJvm.awaitEnd();
  }

  @Remote
  static Future<List<Integer>> propose(int number) {
    return VIEWS.future().compose(views -> views.propose(number));
  }

  @Remote
  static Future<Boolean> leads() {
    return VIEWS.future().map(views -> views.ledTerm() > 0);
  }
}
