// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

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
import org.jspecify.annotations.Nullable;

/// Says who may see a page. At an address of this machine alone, everybody on it may. Elsewhere one
/// needs the token that the page's URL has; a cookie keeps it out of the address bar.
///
/// @param token what to show; null at an address of this machine alone
record Access(@Nullable String token) {
  private static final String NAME = "token";
  private static final int TOKEN_BYTES = 16;

  /// The access to a page that listens at this address. May ask the resolver of names.
  static Access at(String host) {
    return new Access(LocalHttp.isLoopback(host) ? null : newToken());
  }

  private static String newToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /// The end of the page's URL.
  String query() {
    return token == null ? "" : "?" + NAME + "=" + token;
  }

  /// Whether this request may be answered.
  boolean allows(HttpServerRequest request) {
    if (token == null) {
      return LocalHttp.isForLoopback(request);
    }
    Cookie cookie = request.getCookie(cookieName(request));
    return isToken(request.getParam(NAME)) || (cookie != null && isToken(cookie.getValue()));
  }

  /// Whether the page itself makes this request, no other site that the browser shows: only a
  /// browser can send these headers, and no site can change them.
  static boolean isOfThePage(HttpServerRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    HostAndPort authority = request.authority();
    return site != null
        ? site.equals("same-origin")
        : authority != null && ("http://" + authority).equals(origin);
  }

  /// Whether it shows the token in its address.
  boolean isShownIn(HttpServerRequest request) {
    return token != null && isToken(request.getParam(NAME));
  }

  /// The cookie that stands for the token from then on.
  Cookie cookie(HttpServerRequest request) {
    return Cookie.cookie(cookieName(request), token == null ? "" : token)
        .setHttpOnly(true)
        .setPath("/")
        .setSameSite(CookieSameSite.LAX);
  }

  /// Cookies do not tell ports apart.
  private static String cookieName(HttpServerRequest request) {
    return "tensorbus-page-" + request.localAddress().port();
  }

  /// Takes as long for a wrong token as for a right one.
  private boolean isToken(@Nullable String given) {
    return given != null && token != null && MessageDigest.isEqual(bytes(given), bytes(token));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
