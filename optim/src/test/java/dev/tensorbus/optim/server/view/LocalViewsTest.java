// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import java.util.List;

class LocalViewsTest extends ViewsContract {
  private final Views<List<Integer>, Integer> views =
      new LocalViews<>(List.of(), ViewsContract::add);

  @Override
  List<Views<List<Integer>, Integer>> voters() {
    return List.of(views);
  }
}
