// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// Refuses calls in an unsupported encoding, without the token, or above the rate limit of their
/// host. Health checks need no token, since orchestrators have none.
public final class RequestFilter implements Handler<HttpServerRequest> {
  private static final String HEALTH = "/grpc.health.v1.Health/";
  private static final String SCHEME = "Bearer ";

  private final Handler<HttpServerRequest> inside;
  private final byte @Nullable [] token;
  private final CallRates rates;

  /// Creates a filter in front of a handler.
  public RequestFilter(Handler<HttpServerRequest> inside, GatewayOptions options) {
    this.inside = inside;
    String given = options.token();
    this.token = given == null ? null : given.getBytes(StandardCharsets.UTF_8);
    this.rates = new CallRates(options.limits().callsPerSecond(), NanoClock.SYSTEM);
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      requireSpoken(request);
      requireToken(request);
      rates.require(request.remoteAddress().hostAddress());
    } catch (GrpcStatusException refusal) {
      new ResponseStream(request.response()).refuse(refusal);
      return;
    }
    inside.handle(request);
  }

  /// Refuses JSON and compressed messages. A few compressed bytes could expand to a huge message.
  private static void requireSpoken(HttpServerRequest request) {
    String encoding = request.getHeader("grpc-encoding");
    String type = request.getHeader("content-type");
    boolean isPlain = encoding == null || encoding.equals("identity");
    if (!isPlain || (type != null && type.endsWith("+json"))) {
      throw new GrpcStatusException(
          Reason.NOT_SPOKEN, "only uncompressed protobuf messages are supported");
    }
  }

  private void requireToken(HttpServerRequest request) {
    if (token == null || request.path().startsWith(HEALTH)) {
      return;
    }
    String given = request.getHeader("authorization");
    if (given == null || !given.startsWith(SCHEME)) {
      throw new GrpcStatusException(
          Reason.NO_TOKEN, "no token; send the metadata \"authorization: Bearer TOKEN\"");
    }
    byte[] shown = given.substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(shown, token)) { // in constant time
      throw new GrpcStatusException(
          Reason.WRONG_TOKEN, "the token is not this worker's; see its --grpc-token-file");
    }
  }
}
