// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.process;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.ForkedJvm;
import dev.tensorbus.rpc.testing.WallClock;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A Hazelcast cluster of this JVM and of others, each with an [Agent].
public final class ProcessHosts implements AutoCloseable {
  private final Duration silence;
  private final int port;
  private final List<WallClock> clocks;
  private final Vertx here;
  private final List<ForkedJvm> jvms = new ArrayList<>();
  private final List<World.Host> hosts = new ArrayList<>();

  /// Starts this many JVMs beside this one, which is the meeting point. Blocks until all can be
  /// talked to.
  public ProcessHosts(int count) {
    this(count, true, World.SILENCE);
  }

  /// The same.
  ///
  /// @param meetsHere whether this JVM is the meeting point, or the first of the others
  /// @param silence how long one may be silent before it is taken for dead
  public ProcessHosts(int count, boolean meetsHere, Duration silence) {
    this(count, meetsHere, silence, List.of());
  }

  /// The same.
  ///
  /// @param clocks those that the other JVMs go by, one each, or none
  public ProcessHosts(int count, boolean meetsHere, Duration silence, List<WallClock> clocks) {
    this.silence = silence;
    this.clocks = clocks;
    port = FreePort.find();
    for (int number = 0; number < count; number++) {
      jvms.add(start(port, number, !meetsHere && number == 0));
    }
    here = World.meetingAt(port, meetsHere).withHeartbeatTimeout(silence).start();
    hosts.add((name, options) -> Rpc.open(here, name, options.withHeartbeatTimeout(silence)));
    for (int number = 0; number < count; number++) {
      hosts.add(host(number));
    }
  }

  private ForkedJvm start(int port, int number, boolean isMaster) {
    return ForkedJvm.start(
        number < clocks.size() ? clocks.get(number).environment() : Map.of(),
        Agent.class,
        Integer.toString(port),
        Boolean.toString(isMaster),
        silence.toString());
  }

  /// The Vertx of this JVM.
  public Vertx here() {
    return here;
  }

  /// One more JVM, which joins where this one can be met.
  public World.Host startAnother() {
    int number = jvms.size();
    jvms.add(start(Cluster.meetingPoint(here).getPort(), number, false));
    hosts.add(host(number));
    return hosts.getLast();
  }

  /// Starts the JVM of the meeting point again, by the same command, when it has ended. What the
  /// host gives are workers of the new one.
  public World.Host restartFirst() {
    jvms.set(0, start(port, 0, true));
    return host(0);
  }

  private World.Host host(int number) {
    String agent = Agent.address(jvms.get(number).pid());
    World.eventually(
        () -> here.eventBus().request(agent, Agent.PING).map(true).otherwise(false).await());
    return (name, options) ->
        Puppet.open(here, jvms.get(number), agent, name, options.withHeartbeatTimeout(silence));
  }

  /// This JVM and then the others.
  public List<World.Host> hosts() {
    return hosts;
  }

  /// One of the other JVMs, counted from 0.
  public ForkedJvm jvm(int number) {
    return jvms.get(number);
  }

  /// Ends all JVMs but this one.
  @Override
  public void close() {
    jvms.forEach(ForkedJvm::close);
    here.close().await();
  }
}
