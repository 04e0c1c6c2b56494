// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// The roles of workers, the programs built from them, and the command line.
@NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.tensorbus.verticles {
  requires com.fasterxml.jackson.core;
  requires com.hazelcast.core;
  requires transitive dev.tensorbus.grpc.gateway;
  requires dev.tensorbus.launch;
  requires dev.tensorbus.models;
  requires transitive dev.tensorbus.optim;
  requires transitive dev.tensorbus.rpc;
  requires info.picocli;
  requires io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires io.opentelemetry.exporter.otlp;
  requires io.opentelemetry.sdk;
  requires io.opentelemetry.sdk.common;
  requires io.opentelemetry.sdk.trace;
  requires io.vertx.clustermanager.hazelcast;
  requires transitive io.vertx.core;
  requires transitive io.vertx.healthcheck;
  requires io.vertx.launcher.application;
  requires io.vertx.tracing.opentelemetry;
  requires java.desktop;
  requires java.logging;
  requires java.management;
  requires jdk.management;
  requires transitive micrometer.core;
  requires micrometer.registry.prometheus;
  requires me.tongfei.progressbar;
  requires static transitive org.jspecify;

  exports dev.tensorbus.verticles;
  exports dev.tensorbus.verticles.application;

  uses dev.tensorbus.verticles.ProgramProvider;

  provides dev.tensorbus.rpc.WorkerExtension with
      dev.tensorbus.verticles.application.ObservedWorker;

  opens dev.tensorbus.verticles to
      dev.tensorbus.rpc;
  opens dev.tensorbus.verticles.batch to
      dev.tensorbus.rpc;
  opens dev.tensorbus.verticles.cartpole to
      dev.tensorbus.rpc;
  opens dev.tensorbus.verticles.check to
      dev.tensorbus.rpc;
  opens dev.tensorbus.verticles.mnist to
      dev.tensorbus.rpc;
  opens dev.tensorbus.verticles.rnn to
      dev.tensorbus.rpc;
  opens dev.tensorbus.verticles.command to
      info.picocli;
}
