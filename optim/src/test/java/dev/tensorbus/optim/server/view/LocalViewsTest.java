// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import java.time.Duration;
import java.util.List;

class LocalViewsTest extends ViewsContract {
  private final Views<List<Integer>, Integer> views =
      new LocalViews<>(List.of(), ViewsContract::add, Duration.ofSeconds(1));

  @Override
  List<Views<List<Integer>, Integer>> voters() {
    return List.of(views);
  }
}
