// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Vertx;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The values of calls between workers on one Vertx, who hand each other large tensors as they are.
class LocalValueTest extends ValueContract {
  private static Vertx vertx;

  @BeforeAll
  static void startHost() {
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stopHost() {
    vertx.close().await();
  }

  @Override
  World open(int size) {
    return new World(Collections.nCopies(size, vertx));
  }
}
