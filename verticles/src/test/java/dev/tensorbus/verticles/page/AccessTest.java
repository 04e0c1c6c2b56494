// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A page that listens at all addresses, so that others can reach it.
class AccessTest {
  private final PagedWorld world = new PagedWorld("0.0.0.0");

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// The token of the address that was said.
  private String token() {
    Matcher said = Pattern.compile("/\\?token=([0-9a-f]{32})$").matcher(world.said().getFirst());
    assertThat(said.find()).as(world.said().getFirst()).isTrue();
    return said.group(1);
  }

  @Test
  void withoutItsTokenNothingIsToBeSeen() throws Exception {
    String wrong = "0".repeat(32);
    for (String path : new String[] {"/", "/events", "/metrics", "/page.js", "/none"}) {
      assertThat(world.get(path).statusCode()).as(path).isEqualTo(403);
      assertThat(world.get(path + "?token=" + wrong).statusCode()).as(path).isEqualTo(403);
      assertThat(world.get(path + "?token=").statusCode()).as(path).isEqualTo(403);
    }
    assertThat(world.get("/").body()).isEqualTo("use the URL that was printed at the start\n");
  }

  @Test
  void theTokenBecomesACookieThatIsEnough() throws Exception {
    HttpResponse<String> first = world.get("/?token=" + token());
    assertThat(first.statusCode()).isEqualTo(303);
    assertThat(first.headers().firstValue("Location")).hasValue("/");
    String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).containsIgnoringCase("; HttpOnly").contains("; SameSite=Lax");
    String shown = cookie.substring(0, cookie.indexOf(';'));
    assertThat(world.get("/", "Cookie", shown).statusCode()).isEqualTo(200);
    assertThat(world.get("/page.js", "Cookie", shown).statusCode()).isEqualTo(200);
    assertThat(world.get("/page.js", "Cookie", shown + "0").statusCode()).isEqualTo(403);
  }

  @Test
  void prometheusShowsTheTokenInEachRequest() throws Exception {
    assertThat(world.get("/metrics?token=" + token()).statusCode()).isEqualTo(200);
  }

  @Test
  void anAddressOfThisMachineAloneNeedsNone() {
    assertThat(Access.at("127.0.0.1").query()).isEmpty();
    assertThat(Access.at("localhost").query()).isEmpty();
    assertThat(Access.at("::1").query()).isEmpty();
    assertThat(Access.at("0.0.0.0").query()).isNotEqualTo(Access.at("0.0.0.0").query());
  }
}
