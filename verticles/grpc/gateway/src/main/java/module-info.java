// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// The gRPC gateway, which serves a worker to programs that do not run on the JVM.
@NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.tensorbus.grpc.gateway {
  requires com.google.protobuf;
  requires transitive dev.tensorbus.grpc;
  requires transitive dev.tensorbus.optim;
  requires transitive dev.tensorbus.rpc;
  requires io.netty.buffer;
  requires transitive io.vertx.core;
  requires transitive io.vertx.grpc.common;
  requires io.vertx.grpc.health;
  requires io.vertx.grpc.reflection;
  requires transitive io.vertx.grpc.server;
  requires static transitive org.jspecify;

  exports dev.tensorbus.grpc.gateway;
  exports dev.tensorbus.grpc.gateway.server;
  exports dev.tensorbus.grpc.gateway.wire;

  opens dev.tensorbus.grpc.gateway to
      dev.tensorbus.rpc;
}
