// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.WorkerContext;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Request;
import dev.tensorbus.rpc.wire.Request.NewRef;
import dev.tensorbus.rpc.wire.Response;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Takes the messages of this worker and runs the calls among them, each on a virtual thread of
/// its own.
final class Dispatcher {
  private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

  private final EventBusRpc rpc;
  private final Codec codec;
  private final Outlet outlet;
  private final ContextInternal loop;
  private final Vertx vertx;
  private final Functions functions = new Functions(applicationLoader());

  private @Nullable MessageConsumer<Frame> consumer;

  Dispatcher(EventBusRpc rpc, Vertx vertx, Codec codec, Outlet outlet) {
    this.rpc = rpc;
    this.vertx = vertx;
    this.codec = codec;
    this.outlet = outlet;
    // An event loop of our own choice: in a virtual-thread or worker verticle a plain consumer
    // would handle one message at a time, and a call back into its caller would never end.
    this.loop = ((VertxInternal) vertx).createEventLoopContext();
  }

  /// Where the application's classes are: with whoever opened the worker.
  private static ClassLoader applicationLoader() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader == null ? Dispatcher.class.getClassLoader() : loader;
  }

  /// Begins to listen; done when the cluster knows.
  Future<Void> start() {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        ignored -> {
          consumer = vertx.eventBus().consumer(rpc.member().sender().address(), this::receive);
          consumer.completion().onComplete(listening);
        });
    return listening.future();
  }

  Future<Void> stop() {
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  private void receive(Message<Frame> message) {
    try {
      Frame frame = message.body();
      switch (frame.kind()) {
        case REQUEST -> Thread.ofVirtual().name("tensorbus-call").start(() -> serve(frame));
        case RESPONSE -> rpc.pending().answer(frame.call(), frame);
      }
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, () -> rpc.self() + " dropped a message: " + e.getMessage());
    }
  }

  private void serve(Frame frame) {
    Request request;
    try {
      request = Request.from(frame);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, () -> rpc.self() + " dropped a call: " + e.getMessage());
      return;
    }
    Incoming call = new Incoming(request);
    CallContext context =
        new CallContext(rpc, request.from().info(), System.nanoTime() + request.remainingNanos());
    context.run(call::run);
  }

  /// One call that came in.
  private final class Incoming {
    private final Request request;
    private final Member caller;
    private final @Nullable WorkerContext context;
    private final @Nullable OwnedRRef<Object> place;

    private Incoming(Request request) {
      this.request = request;
      this.caller = new Member(request.from(), "", 0, "");
      this.context = Contexts.of(rpc).arriving(request.arguments().graph());
      NewRef names = request.result();
      this.place = names == null ? null : rpc.references().create(names, caller.info().name());
    }

    private void run() {
      Contexts.enter(context);
      try {
        Functions.Function function = functions.find(request.function());
        Object result = function.invoke(arguments());
        if (function.isAsync() && result instanceof Future<?> future) {
          future.onComplete(done -> finish(done.result(), done.cause()));
        } else {
          finish(result, null);
        }
      } catch (Throwable e) {
        finish(null, e);
      } finally {
        Contexts.enter(null);
      }
    }

    private @Nullable Object[] arguments() {
      String from = caller.info().name();
      @Nullable Object[] given =
          (@Nullable Object[]) codec.decode(request.arguments(), from, context);
      GlobalId receiver = request.receiver();
      if (receiver == null || given == null) {
        return given == null ? new Object[0] : given;
      }
      @Nullable Object[] all = new Object[given.length + 1];
      all[0] = VirtualThreads.await(rpc.references().object(receiver));
      System.arraycopy(given, 0, all, 1, given.length);
      return all;
    }

    private void finish(@Nullable Object result, @Nullable Throwable error) {
      Response response;
      try {
        response = error == null ? answer(result) : failure(error);
      } catch (RuntimeException e) {
        response = failure(e);
      }
      outlet
          .send(request.from(), response.toFrame())
          .onFailure(
              e ->
                  LOG.log(
                      Level.DEBUG,
                      () -> "nobody took the answer of " + request.function() + ": " + e));
    }

    private Response answer(@Nullable Object result) {
      if (place != null) {
        place.value().complete(result);
        return new Response(request.call(), null, null);
      }
      return new Response(request.call(), codec.encode(result, caller, context), null);
    }

    private Response failure(Throwable error) {
      LOG.log(Level.DEBUG, () -> request.function() + " failed for " + caller.info(), error);
      if (place != null) {
        place.value().tryFail(error);
      }
      StringWriter stack = new StringWriter();
      error.printStackTrace(new PrintWriter(stack));
      String message = error.getMessage();
      return new Response(
          request.call(),
          null,
          new Response.Failure(
              error.getClass().getName(), message == null ? "" : message, stack.toString()));
    }
  }
}
