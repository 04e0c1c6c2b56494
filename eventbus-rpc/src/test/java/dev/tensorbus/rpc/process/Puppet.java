// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.process;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/// Stands in a test for a worker in another JVM: what is asked of it is done there. References
/// and listeners cannot be passed to it or come from it.
final class Puppet implements InvocationHandler {
  /// Longer than what is asked may take, so that its own error is heard.
  private static final DeliveryOptions PATIENTLY =
      new DeliveryOptions().setSendTimeout(World.CALL_TIME.plus(World.PATIENCE).toMillis());

  private final Vertx vertx;
  private final ForkedJvm jvm;
  private final String agent;
  private final String name;

  private Puppet(Vertx vertx, ForkedJvm jvm, String agent, String name) {
    this.vertx = vertx;
    this.jvm = jvm;
    this.agent = agent;
    this.name = name;
  }

  /// Opens a worker at an agent.
  static Future<Rpc> open(
      Vertx vertx, ForkedJvm jvm, String agent, String name, RpcOptions options) {
    Puppet puppet = new Puppet(vertx, jvm, agent, name);
    Object rpc =
        Proxy.newProxyInstance(Rpc.class.getClassLoader(), new Class<?>[] {Rpc.class}, puppet);
    return puppet
        .ask(Agent.OPEN, new Class<?>[] {RpcOptions.class}, options)
        .map(done -> (Rpc) rpc);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    @Nullable Object[] arguments = given == null ? new Object[0] : given;
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    if (method.getDeclaringClass() == Object.class) {
      return method.invoke(this, arguments);
    }
    Future<@Nullable Object> answer = ask(method.getName(), method.getParameterTypes(), arguments);
    return Future.class.isAssignableFrom(method.getReturnType()) ? answer : answer.await();
  }

  private Future<@Nullable Object> ask(
      String method, Class<?>[] types, @Nullable Object... arguments) {
    if (!jvm.isAlive()) {
      return Future.succeededFuture(null); // it has left, if that is the question
    }
    byte[] command = Wire.encode(new Wire.Command(name, method, types, arguments));
    return vertx
        .eventBus()
        .<byte[]>request(agent, command, PATIENTLY)
        .map(reply -> outcome((Wire.Outcome) Wire.decode(reply.body())));
  }

  private static @Nullable Object outcome(Wire.Outcome outcome) {
    byte[] error = outcome.error();
    if (error != null) {
      throw Wire.decodeError(error);
    }
    return outcome.result();
  }

  @Override
  public String toString() {
    return "puppet " + name + " at " + agent;
  }
}
