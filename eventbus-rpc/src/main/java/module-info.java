// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Calls, references, membership and distributed autograd on the Vert.x event bus.
@NullMarked
@SuppressWarnings({
  "module",
  "requires-automatic",
  "requires-transitive-automatic"
}) // "module": exports to modules built later
module dev.tensorbus.rpc {
  requires transitive dev.tensorbus.autograd;
  requires transitive io.vertx.core;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires com.hazelcast.core;
  requires jdk.jfr;
  // For Hazelcast, which as an automatic module cannot require them: XAException, socket options.
  requires java.management;
  requires java.sql;
  requires jdk.management;
  requires jdk.net;
  requires io.vertx.clustermanager.hazelcast;
  requires io.vertx.core.logging;
  requires java.logging;
  requires org.apache.fory.core;
  // Optional: the current span of a thread, if the application traces with OpenTelemetry.
  requires static io.opentelemetry.api;
  requires static io.opentelemetry.context;
  requires static io.vertx.tracing.opentelemetry;
  // Optional: the extension for tests.
  requires static org.junit.jupiter.api;
  requires static transitive org.jspecify;

  // API
  exports dev.tensorbus.rpc;
  exports dev.tensorbus.rpc.autograd;
  exports dev.tensorbus.rpc.group;
  exports dev.tensorbus.rpc.parallel;
  exports dev.tensorbus.rpc.observe.profiler;
  exports dev.tensorbus.rpc.observe.status;

  // Internal to the project
  exports dev.tensorbus.rpc.thread to
      dev.tensorbus.grpc.gateway,
      dev.tensorbus.optim,
      dev.tensorbus.verticles,
      dev.tensorbus.web;
  exports dev.tensorbus.rpc.thread.time to
      dev.tensorbus.grpc.gateway,
      dev.tensorbus.optim,
      dev.tensorbus.verticles,
      dev.tensorbus.web;
  exports dev.tensorbus.rpc.transport.listen to
      dev.tensorbus.grpc.gateway,
      dev.tensorbus.verticles;

  // Testing
  exports dev.tensorbus.rpc.testing;

  uses dev.tensorbus.rpc.WorkerExtension;

  opens dev.tensorbus.rpc.world.hazelcast to
      com.hazelcast.core; // which instantiates the clock and the loggers

  uses dev.tensorbus.rpc.WireTypes;

  provides dev.tensorbus.rpc.WireTypes with
      dev.tensorbus.rpc.parallel.LayerTypes,
      dev.tensorbus.rpc.observe.profiler.ProfilerTypes;
}
