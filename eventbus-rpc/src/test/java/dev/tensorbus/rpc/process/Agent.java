// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.process;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Lives in a JVM of its own and does with its workers what a [Puppet] in the test's JVM says.
public final class Agent {
  static final String OPEN = "open";

  /// A command of no bytes asks whether the agent is there.
  static final byte[] PING = {};

  private final Vertx vertx;
  private final Map<String, Rpc> workers = new ConcurrentHashMap<>();

  private Agent(Vertx vertx) {
    this.vertx = vertx;
  }

  /// Joins the cluster of a test and ends with it.
  ///
  /// @param arguments the port of the cluster's master, whether this agent is the master, and how
  ///     long a worker may be silent
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    boolean isMaster = Boolean.parseBoolean(arguments[1]);
    Duration silence = Duration.parse(arguments[2]);
    Vertx vertx = World.meetingAt(port, isMaster).withHeartbeatTimeout(silence).start();
    Agent agent = new Agent(vertx);
    String address = address(ProcessHandle.current().pid());
    vertx.eventBus().consumer(address, agent::obey).completion().await();
    ForkedJvm.awaitEnd();
  }

  /// Each process has an address of its own: Vert.x takes a while to forget one that was killed.
  static String address(long pid) {
    return "test.agent." + pid;
  }

  private void obey(Message<byte[]> message) {
    if (message.body().length == 0) {
      message.reply(PING);
      return;
    }
    Thread.ofVirtual().start(() -> message.reply(Wire.encode(run(message.body()))));
  }

  private Wire.Outcome run(byte[] command) {
    try {
      return new Wire.Outcome(settled(run((Wire.Command) Wire.decode(command))), null);
    } catch (InvocationTargetException e) {
      return new Wire.Outcome(null, Wire.encodeError(e.getCause()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return new Wire.Outcome(null, Wire.encodeError(e));
    }
  }

  private @Nullable Object run(Wire.Command command) throws ReflectiveOperationException {
    if (command.method().equals(OPEN)) {
      RpcOptions options = (RpcOptions) command.arguments()[0];
      workers.put(command.worker(), Rpc.open(vertx, command.worker(), options).await());
      return null;
    }
    return Rpc.class
        .getMethod(command.method(), command.types())
        .invoke(workers.get(command.worker()), command.arguments());
  }

  private static @Nullable Object settled(@Nullable Object result) {
    return result instanceof Future<?> future ? future.await() : result;
  }
}
