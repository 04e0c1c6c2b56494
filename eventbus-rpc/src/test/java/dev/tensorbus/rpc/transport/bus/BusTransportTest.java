// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.Transport.Endpoint;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Cancel;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Nothing is kept of workers that are gone.
class BusTransportTest {
  private static final Sender PEER = new Sender(new WorkerInfo("worker1", 1), 7);

  private final Vertx vertx = Vertx.vertx();
  private final Set<Sender> gone = new HashSet<>();
  private final BusTransport sender =
      new BusTransport(
          new Endpoint(
              PEER,
              "node",
              ((VertxInternal) vertx).createEventLoopContext(),
              new IdleStrategies(IdleMode.PARK, NanoClock.SYSTEM),
              gone::contains));

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private void send() {
    sender.send(PEER, new Cancel(1, PEER).toFrame());
  }

  @Test
  void aQueueIsKeptForEachWorker() {
    send();
    send();
    assertThat(sender.size()).isEqualTo(1);
  }

  @Test
  void aLateWordToOneThatIsGoneLeavesNothing() {
    send();
    gone.add(PEER);
    sender.forget(PEER);
    send();
    assertThat(sender.size()).isZero();
  }
}
