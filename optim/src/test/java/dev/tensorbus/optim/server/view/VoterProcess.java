// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.logging.LogManager;

/// A voter in a process of its own. The voters agree on a list of numbers.
final class VoterProcess {
  static final List<String> NAMES = List.of("voter1", "voter2", "voter3");
  static final Duration HEARTBEAT_TIMEOUT = Cluster.DEFAULT_HEARTBEAT_TIMEOUT;

  private static final Promise<RaftViews<List<Integer>, Integer>> VIEWS = Promise.promise();

  private VoterProcess() {}

  /// @param args the port of the meeting point, and the rank from 1
  public static void main(String[] args) {
    LogManager.getLogManager().reset(); // deaths are on purpose
    int rank = Integer.parseInt(args[1]);
    Rpc rpc =
        Rpc.open(
                cluster(Integer.parseInt(args[0]), false).start(),
                NAMES.get(rank - 1),
                RpcOptions.dynamic(rank))
            .await();
    VIEWS.complete(
        (RaftViews<List<Integer>, Integer>)
            RaftViews.open(rpc, NAMES, List.<Integer>of(), ViewsContract::add, HEARTBEAT_TIMEOUT));
    ForkedJvm.awaitEnd();
  }

  static Cluster cluster(int port, boolean isMaster) {
    return new Cluster("127.0.0.1", port, isMaster, Duration.ofSeconds(60));
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
