// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.verticles.metrics.LocalHttp;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Controls who may see a page. On a loopback address, the user of this process may see it, which
/// its server checks. On other addresses, requests need the token from the page's URL. The first
/// response stores the token in a cookie, so that it does not stay in the address bar. An
/// application's own server decides by itself.
///
/// @param token the token that permits a request; null without one
/// @param permitted returns whether a request is permitted without a token
record Access(@Nullable String token, Predicate<HttpServerRequest> permitted) {
  private static final String NAME = "token";
  private static final int TOKEN_BYTES = 16;

  /// Returns the access control of a page on this address. May block on a name lookup.
  static Access at(String host) {
    return Addresses.isLoopback(host)
        ? new Access(null, LocalHttp::isForLoopback)
        : new Access(newToken(), request -> false);
  }

  /// Returns the access control of a page in the server of an application, which passes on only the
  /// requests that it permits.
  static Access ofApplication() {
    return new Access(null, request -> true);
  }

  private static String newToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /// Returns the URL of a page that listens on this address.
  String url(String host, int port) {
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return "http://%s:%d/%s".formatted(shown, port, query());
  }

  /// Returns the query string of the page's URL.
  String query() {
    return token == null ? "" : "?" + NAME + "=" + token;
  }

  /// Returns whether requests need a token.
  boolean needsToken() {
    return token != null;
  }

  /// Returns whether a request is permitted.
  boolean allows(HttpServerRequest request) {
    return permitted.test(request) || hasToken(request);
  }

  private boolean hasToken(HttpServerRequest request) {
    Cookie cookie = request.getCookie(cookieName(request));
    return isToken(request.getParam(NAME)) || (cookie != null && isToken(cookie.getValue()));
  }

  /// Returns whether the page itself sent this request, rather than another site in the same
  /// browser (CSRF). Browsers set the headers checked here, and sites cannot change them.
  static boolean isOfThePage(HttpServerRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    HostAndPort authority = request.authority();
    return site != null
        ? site.equals("same-origin")
        : authority != null && ("http://" + authority).equals(origin);
  }

  /// Returns whether the URL of a request contains the token.
  boolean isShownIn(HttpServerRequest request) {
    return token != null && isToken(request.getParam(NAME));
  }

  /// Returns the cookie that replaces the token in later requests.
  Cookie cookie(HttpServerRequest request) {
    return Cookie.cookie(cookieName(request), token == null ? "" : token)
        .setHttpOnly(true)
        .setPath("/")
        .setSameSite(CookieSameSite.LAX);
  }

  /// Returns the cookie's name. It contains the port, because cookies are shared between the ports
  /// of a host.
  private static String cookieName(HttpServerRequest request) {
    return "tensorbus-page-" + request.localAddress().port();
  }

  /// Compares a string with the token in constant time.
  private boolean isToken(@Nullable String given) {
    return given != null && token != null && MessageDigest.isEqual(bytes(given), bytes(token));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
