// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.listen.HostRates;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Refuses calls in an unsupported encoding, without a token that permits them, or above the rate
/// limit of their host. A health check needs no token, since orchestrators have none. To watch the
/// health needs one, since each watcher costs memory.
public final class RequestFilter implements Handler<HttpServerRequest> {
  private static final System.Logger LOG = System.getLogger(RequestFilter.class.getName());
  private static final String HEALTH_CHECK = "/grpc.health.v1.Health/Check";
  private static final String SCHEME = "Bearer ";

  private final Handler<HttpServerRequest> inside;
  private final List<AccessToken> tokens;
  private final int rate;
  private final @Nullable HostRates rates;

  /// Creates a filter in front of a handler.
  public RequestFilter(Handler<HttpServerRequest> inside, GatewayOptions options) {
    this.inside = inside;
    this.tokens = options.tokens();
    rate = options.limits().callsPerSecond();
    rates = rate == 0 ? null : new HostRates(rate, rate, NanoClock.SYSTEM);
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      requireSpoken(request);
      requireToken(request);
      requireRate(request);
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
    if (tokens.isEmpty() || request.path().equals(HEALTH_CHECK)) {
      return;
    }
    String given = request.getHeader("authorization");
    if (given == null || !given.startsWith(SCHEME)) {
      throw new GrpcStatusException(
          Reason.NO_TOKEN, "no token; send the metadata \"authorization: Bearer TOKEN\"");
    }
    AccessToken token = token(given.substring(SCHEME.length()));
    if (token == null) {
      throw new GrpcStatusException(
          Reason.WRONG_TOKEN, "the token is not this worker's; see its --grpc-token-file");
    }
    Right needed = Right.of(request.path());
    if (needed != null && !token.rights().contains(needed)) {
      String denial = "the token does not permit to %s; it permits: %s".formatted(needed, token);
      LOG.log(Level.INFO, "{0}: {1}", request.remoteAddress().hostAddress(), denial);
      throw new GrpcStatusException(
          Reason.NO_RIGHT, denial + "; see the worker's --grpc-token-file");
    }
  }

  private void requireRate(HttpServerRequest request) {
    if (rates != null) {
      Duration pause = rates.acquire(request.remoteAddress().hostAddress());
      if (pause.isPositive()) {
        throw new GrpcStatusException(
                Reason.TOO_MANY_CALLS,
                "more than %d calls per second, the limit of --grpc-rate".formatted(rate))
            .withRetryAfter(pause);
      }
    }
  }

  private @Nullable AccessToken token(String given) {
    AccessToken shown = null;
    for (AccessToken token : tokens) { // all of them, so that the time tells nothing
      shown = token.isShownAs(given) ? token : shown;
    }
    return shown;
  }
}
