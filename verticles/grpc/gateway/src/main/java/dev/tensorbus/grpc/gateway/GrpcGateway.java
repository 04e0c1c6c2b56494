// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.tensorbus.grpc.gateway.server.Admission;
import dev.tensorbus.grpc.gateway.server.AdmittedCall;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayServer;
import dev.tensorbus.grpc.gateway.server.RequestFilter;
import dev.tensorbus.grpc.gateway.server.RequestStream;
import dev.tensorbus.grpc.gateway.server.ResponseStream;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.PullParametersRequest;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.Step;
import dev.tensorbus.grpc.v1.TensorbusProto;
import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;
import dev.tensorbus.grpc.v1.WorkersRequest;
import dev.tensorbus.optim.server.LearnedStep;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.transport.listen.IdleConnections;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A worker's gRPC server. It offers the service of `tensorbus.proto`, health checks and
/// reflection.
public final class GrpcGateway {
  private static final ServiceDescriptor DESCRIPTOR =
      TensorbusProto.getDescriptor().findServiceByName("Tensorbus");
  private static final long GRACE_SECONDS = 1;
  private static final Pattern GRPC = Pattern.compile("application/grpc(\\+proto)?");
  private static final ServiceName NAME = ServiceName.create(DESCRIPTOR.getFullName());

  private final Rpc rpc;
  private final GatewayOptions options;
  private final Exports exports;
  private final WatchEvents events = new WatchEvents();
  private final IdleConnections connections;
  private final Admission admission;
  private final HttpServer server;
  private volatile boolean isOpen = true;

  private GrpcGateway(Rpc rpc, GatewayOptions options, Exports exports) {
    Vertx vertx = rpc.vertx();
    this.rpc = rpc;
    this.options = options;
    this.exports = exports;
    Duration idle = options.limits().idle();
    this.connections = new IdleConnections(vertx, idle, idle);
    this.admission = new Admission(options.limits(), connections);
    this.server =
        GatewayServer.create(
            vertx, options, connections, new RequestFilter(handler(vertx), options));
  }

  /// Opens a gateway of a worker. The future completes when clients can connect. The gateway closes
  /// with the worker's Vertx, if it is not closed before.
  ///
  /// @param exports the functions and the model that clients can reach
  public static Future<GrpcGateway> open(Rpc rpc, GatewayOptions options, Exports exports) {
    GrpcGateway gateway = new GrpcGateway(rpc, options, exports);
    rpc.onWorkerJoined(
        worker ->
            gateway.tell(WatchResponse.newBuilder().setWorkerJoined(WorkersMethod.worker(worker))));
    rpc.onWorkerLost(
        worker ->
            gateway.tell(WatchResponse.newBuilder().setWorkerLost(WorkersMethod.worker(worker))));
    ModelServer model = exports.model();
    if (model != null) {
      model.onStep(step -> gateway.tell(WatchResponse.newBuilder().setStep(step(step))));
    }
    return GatewayServer.listen(gateway.server, options).map(gateway);
  }

  private static Step step(LearnedStep step) {
    return Step.newBuilder()
        .setTrainer(step.trainer())
        .setLoss(step.loss())
        .setExamples(step.examples())
        .setVersion(step.version())
        .build();
  }

  /// Returns the port on which the gateway listens.
  public int port() {
    return server.actualPort();
  }

  /// Closes the gateway: refuses new calls, gives running calls a short grace period, and ends
  /// watch streams.
  public Future<Void> close() {
    isOpen = false;
    events.close();
    ModelServer model = exports.model();
    if (model != null) {
      model.close();
    }
    return server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS);
  }

  private void tell(WatchResponse.Builder event) {
    events.tell(event.build());
  }

  /// Returns a handler that serves our own methods directly, so that their messages are copied less
  /// often. It passes all other calls, such as health checks, to Vert.x's gRPC server.
  private Handler<HttpServerRequest> handler(Vertx vertx) {
    GrpcServer others = grpc(vertx);
    Map<String, Handler<HttpServerRequest>> own = methods();
    return request -> {
      connections.touch(request.connection());
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
    return GrpcServer.server(vertx, GatewayServer.grpcOptions(options))
        .addService(Service.service(NAME, DESCRIPTOR).build()) // for reflection
        .addService(health)
        .addService(ReflectionService.v1());
  }

  private Map<String, Handler<HttpServerRequest>> methods() {
    Map<String, Handler<HttpServerRequest>> methods = new HashMap<>();
    bind(methods, "Workers", WorkersRequest.parser(), new WorkersMethod(rpc, exports));
    bind(methods, "Call", CallRequest.parser(), new CallMethod(rpc, exports));
    bind(
        methods,
        "PullParameters",
        PullParametersRequest.parser(),
        new PullParametersMethod(exports));
    PushGradientsMethod pushing = new PushGradientsMethod(exports, events);
    bind(methods, "PushGradients", PushGradientsRequest.parser(), pushing);
    bind(methods, "Predict", PredictRequest.parser(), new PredictMethod(exports));
    bind(methods, "Watch", WatchRequest.parser(), new WatchMethod(events));
    return methods;
  }

  private <Q, R extends MessageLite> void bind(
      Map<String, Handler<HttpServerRequest>> methods,
      String name,
      Parser<Q> parser,
      ServerCall.Method<Q, R> method) {
    methods.put(
        "/" + DESCRIPTOR.getFullName() + "/" + name, request -> serve(request, parser, method));
  }

  private <Q, R extends MessageLite> void serve(
      HttpServerRequest request, Parser<Q> parser, ServerCall.Method<Q, R> method) {
    AdmittedCall admitted;
    try {
      admitted = admission.enter(request);
    } catch (GrpcStatusException refusal) {
      new ResponseStream(request.response()).refuse(refusal);
      return;
    }
    ServerCall.serve(request, new RequestStream<>(request, parser, admitted), method);
  }
}
