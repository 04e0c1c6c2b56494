// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Four workers, of which the first is in this JVM, for what holds however they are connected;
/// the subclasses' subclasses say how.
abstract class AutogradContract {
  static final int WORKERS = 4;

  final Tensor a = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});
  final Tensor b = Tensor.parameter(Shape.of(3), new float[] {4, 5, 6});
  World world;
  Rpc rpc;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(WORKERS);
    rpc = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// A figure that a worker gives of its contexts, such as `passes`.
  long held(int worker, String what) {
    return world.worker(worker).debugInfo().get("autograd." + what);
  }

  /// Waits until no worker has anything left of any context.
  void awaitNothingHeld() {
    for (int worker = 0; worker < WORKERS; worker++) {
      int rank = worker;
      // Together, since a call that was given up may arrive late.
      World.eventually(
          () ->
              Stream.of("contexts", "passes", "sends", "receives")
                      .mapToLong(what -> held(rank, what))
                      .sum()
                  == 0);
    }
  }

  static void requireValues(Tensor tensor, float... values) {
    assertThat(tensor.values()).containsExactly(values);
  }
}
