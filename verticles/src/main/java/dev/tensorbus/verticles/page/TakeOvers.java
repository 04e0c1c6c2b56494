// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What the parameter servers did when one of them died, as they report it.
final class TakeOvers {
  private final List<String> heirs = new ArrayList<>();
  private int slots;
  private int lost;
  private long millis;

  private TakeOvers() {}

  /// Describes what has become of a lost worker's slots; empty if it had none.
  ///
  /// @param workers all workers that have ever answered
  static String of(String server, List<SeenWorker> workers) {
    TakeOvers all = new TakeOvers();
    for (SeenWorker worker : workers) {
      JsonArray reported = worker.report().server().getJsonArray("takeOvers", new JsonArray());
      reported.stream()
          .map(JsonObject.class::cast)
          .filter(one -> one.getString("server", "").equals(server))
          .reduce((before, last) -> last)
          .ifPresent(one -> all.add(worker.report().name(), one));
    }
    return all.text();
  }

  private void add(String heir, JsonObject one) {
    int taken = one.getInteger("slots", 0);
    if (taken > 0) {
      heirs.add(heir);
      slots += taken;
    }
    // An heir may hear of the death after the others have agreed on it, and then knows no time.
    millis = Math.max(millis, one.getLong("millis", 0L));
    lost = Math.max(lost, one.getInteger("lost", 0));
  }

  private String text() {
    String end = lost == 0 ? "nothing is lost" : lost + " slots are lost: start the world again";
    if (heirs.isEmpty()) {
      return lost == 0 ? "" : ": " + end;
    }
    String time = millis == 0 ? "" : String.format(Locale.ROOT, " in %.2f s", millis / 1e3);
    return ": %s %s taken over %d slots%s; %s"
        .formatted(String.join(", ", heirs), heirs.size() == 1 ? "has" : "have", slots, time, end);
  }
}
