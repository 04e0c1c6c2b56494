// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Limits the idle connections of an HTTP server. If [#MOST] connections are idle, each new
/// connection causes the one that has been idle longest to be closed. Every connection is also
/// closed after an idle timeout. Thread-safe. Modelled on grpc-java's `MaxConnectionIdleManager`.
public final class IdleConnections {
  /// Equal to the event bus's limit for connections that have not been admitted.
  static final int MOST = 256;

  private final Vertx vertx;
  private final Duration beforeTheFirst;
  private final Duration between;

  // Guarded by this.
  private final Map<HttpConnection, Integer> served = new HashMap<>();

  /// Idle connections with their timeout timers, longest idle first.
  private final Map<HttpConnection, Long> idle = new LinkedHashMap<>();

  /// @param beforeTheFirst the idle timeout before the first request
  /// @param between the idle timeout after a request
  public IdleConnections(Vertx vertx, Duration beforeTheFirst, Duration between) {
    this.vertx = vertx;
    this.beforeTheFirst = beforeTheFirst;
    this.between = between;
  }

  /// Registers a new connection.
  public void enter(HttpConnection connection) {
    connection.closeHandler(v -> leave(connection));
    HttpConnection longest;
    synchronized (this) {
      longest = idle.size() < MOST ? null : takeLongest();
      served.put(connection, 0);
      startTimer(connection, beforeTheFirst);
    }
    if (longest != null) {
      Future<Void> _ = longest.close();
    }
  }

  private @Nullable HttpConnection takeLongest() {
    Iterator<HttpConnection> all = idle.keySet().iterator();
    HttpConnection longest = all.next();
    stopTimer(longest);
    served.remove(longest);
    return longest;
  }

  private void startTimer(HttpConnection connection, Duration limit) {
    idle.put(connection, vertx.setTimer(limit.toMillis(), id -> closeIfIdle(connection)));
  }

  private void stopTimer(HttpConnection connection) {
    Long timer = idle.remove(connection);
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  private void closeIfIdle(HttpConnection connection) {
    synchronized (this) {
      if (!idle.containsKey(connection)) {
        return;
      }
    }
    Future<Void> _ = connection.close();
  }

  private synchronized void leave(HttpConnection connection) {
    stopTimer(connection);
    served.remove(connection);
  }

  /// Marks a connection as the most recently used one.
  public void touch(HttpConnection connection) {
    begin(connection);
    end(connection);
  }

  /// Records the start of a request, which lasts until [#end].
  public synchronized void begin(HttpConnection connection) {
    if (served.computeIfPresent(connection, (key, requests) -> requests + 1) != null) {
      stopTimer(connection);
    }
  }

  /// Records the end of a request.
  public synchronized void end(HttpConnection connection) {
    Integer left = served.computeIfPresent(connection, (key, requests) -> requests - 1);
    if (left != null && left == 0) {
      startTimer(connection, between);
    }
  }

  /// Wraps a handler so that its requests are recorded until their responses end.
  public Handler<HttpServerRequest> around(Handler<HttpServerRequest> handler) {
    return request -> {
      begin(request.connection());
      request.response().endHandler(v -> end(request.connection()));
      handler.handle(request);
    };
  }
}
