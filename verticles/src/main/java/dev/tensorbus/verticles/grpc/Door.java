// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.PullParametersRequest;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.Step;
import dev.tensorbus.grpc.v1.TensorbusProto;
import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;
import dev.tensorbus.grpc.v1.WorkersRequest;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.grpc.model.Learned;
import dev.tensorbus.verticles.grpc.model.ServedModel;
import dev.tensorbus.verticles.grpc.server.DoorOptions;
import dev.tensorbus.verticles.grpc.server.DoorServer;
import dev.tensorbus.verticles.grpc.server.Guard;
import dev.tensorbus.verticles.grpc.server.Inbox;
import dev.tensorbus.verticles.grpc.wire.Refusals;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.health.HealthService;
import io.vertx.grpc.reflection.ReflectionService;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A worker's gRPC server: the service of `tensorbus.proto`, health and reflection.
public final class Door {
  private static final ServiceDescriptor DESCRIPTOR =
      TensorbusProto.getDescriptor().findServiceByName("Tensorbus");
  private static final long GRACE_SECONDS = 1;
  private static final Pattern GRPC = Pattern.compile("application/grpc(\\+proto)?");
  private static final ServiceName NAME = ServiceName.create(DESCRIPTOR.getFullName());

  private final Rpc rpc;
  private final DoorOptions options;
  private final Exports exports;
  private final Events events = new Events();
  private final Semaphore room;
  private final HttpServer server;
  private volatile boolean isOpen = true;

  private Door(Vertx vertx, Rpc rpc, DoorOptions options, Exports exports) {
    this.rpc = rpc;
    this.options = options;
    this.exports = exports;
    this.room = new Semaphore(options.limits().calls());
    this.server = DoorServer.create(vertx, options, new Guard(handler(vertx), options));
  }

  /// Opens a worker to programs outside. Done when they can call.
  ///
  /// @param exports what they can reach
  public static Future<Door> open(Vertx vertx, Rpc rpc, DoorOptions options, Exports exports) {
    Door door = new Door(vertx, rpc, options, exports);
    rpc.onWorkerJoined(
        worker -> door.tell(WatchResponse.newBuilder().setWorkerJoined(Listing.worker(worker))));
    rpc.onWorkerLost(
        worker -> door.tell(WatchResponse.newBuilder().setWorkerLost(Listing.worker(worker))));
    ServedModel model = exports.model();
    if (model != null) {
      model.onStep(step -> door.tell(WatchResponse.newBuilder().setStep(step(step))));
    }
    return DoorServer.listen(door.server, options).map(door);
  }

  private static Step step(Learned step) {
    return Step.newBuilder()
        .setTrainer(step.trainer())
        .setLoss(step.loss())
        .setExamples(step.examples())
        .setVersion(step.version())
        .build();
  }

  /// Where it listens.
  public int port() {
    return server.actualPort();
  }

  /// Ends it: no call is let in, those that run have a moment to end, who watches sees the end.
  public Future<Void> close() {
    isOpen = false;
    events.close();
    ServedModel model = exports.model();
    if (model != null) {
      model.close();
    }
    return server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS);
  }

  private void tell(WatchResponse.Builder event) {
    events.tell(event.build());
  }

  /// Health and reflection are Vert.x's; our own methods need their messages with fewer copies.
  private Handler<HttpServerRequest> handler(Vertx vertx) {
    GrpcServer others = grpc(vertx);
    Map<String, Handler<HttpServerRequest>> own = methods();
    return request -> {
      boolean isGrpc = GRPC.matcher(String.valueOf(request.getHeader("content-type"))).matches();
      boolean isHttp2 = request.version() == HttpVersion.HTTP_2;
      Handler<HttpServerRequest> method = own.get(request.path());
      (isGrpc && isHttp2 && method != null ? method : others).handle(request);
    };
  }

  private GrpcServer grpc(Vertx vertx) {
    HealthService health = HealthService.create(vertx);
    health.register("", () -> Future.succeededFuture(isOpen));
    health.register(NAME, () -> Future.succeededFuture(isOpen));
    return GrpcServer.server(vertx, DoorServer.grpcOptions(options))
        .addService(Service.service(NAME, DESCRIPTOR).build()) // for reflection
        .addService(health)
        .addService(ReflectionService.v1());
  }

  private Map<String, Handler<HttpServerRequest>> methods() {
    long max = options.limits().tensorBytes();
    Map<String, Handler<HttpServerRequest>> methods = new HashMap<>();
    bind(methods, "Workers", WorkersRequest.parser(), new Listing(rpc, exports));
    bind(methods, "Call", CallRequest.parser(), new Calling(rpc, exports, max));
    bind(methods, "PullParameters", PullParametersRequest.parser(), new Pulling(exports));
    Pushing pushing = new Pushing(exports, events, max);
    bind(methods, "PushGradients", PushGradientsRequest.parser(), pushing);
    bind(methods, "Predict", PredictRequest.parser(), new Predicting(exports, max));
    bind(methods, "Watch", WatchRequest.parser(), new Watching(events));
    return methods;
  }

  private <Q, R extends MessageLite> void bind(
      Map<String, Handler<HttpServerRequest>> methods,
      String name,
      Parser<Q> parser,
      Exchange.Method<Q, R> method) {
    methods.put(
        "/" + DESCRIPTOR.getFullName() + "/" + name, request -> serve(request, parser, method));
  }

  private <Q, R extends MessageLite> void serve(
      HttpServerRequest request, Parser<Q> parser, Exchange.Method<Q, R> method) {
    boolean isRoom = room.tryAcquire();
    Exchange.Method<Q, R> served = isRoom ? method : call -> requireRoom();
    Inbox<Q> inbox = new Inbox<>(request, parser, options.limits().messageBytes());
    Exchange.serve(request, inbox, served, isRoom ? room::release : () -> {});
  }

  private void requireRoom() {
    throw Refusals.busy(
        "%d calls are running, the limit of --grpc-calls; call later"
            .formatted(options.limits().calls()));
  }
}
