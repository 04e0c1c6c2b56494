// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.MemoryHosts;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReferenceBackwardTest {
  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  private final World world = HOSTS.open(2);
  private final Rpc rpc = world.worker(0);
  private final Tensor a = Tensor.parameter(Shape.of(2), new float[] {1, 2});

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Remote
  static Tensor lossOf(Tensor x) {
    return x.add(x).sum();
  }

  @Test
  void theOwnersReferenceHasALocalGraph() {
    RRef<Tensor> loss = rpc.rref(lossOf(a));
    loss.localValue().backward();
    assertThat(a.grad().values()).containsExactly(2, 2);
    loss.localValue().backward();
    assertThat(a.grad().values()).containsExactly(4, 4);
  }

  @Test
  void aPassBeginsAtTheOwnersReference() {
    try (var context = DistAutograd.context(rpc)) {
      RRef<Tensor> loss = rpc.rref(lossOf(a));
      context.backward(loss);
      context.backward(loss);
      assertThat(context.gradients().get(a).values()).containsExactly(4, 4);
      assertThat(a.grad()).isNull();
    }
  }

  @Test
  void aPassBeginsWhereTheLossIs() {
    try (var context = DistAutograd.context(rpc)) {
      RRef<Tensor> loss = rpc.remote("worker1", ReferenceBackwardTest::lossOf, a);
      context.backward(loss);
      assertThat(context.gradients().get(a).values()).containsExactly(2, 2);
      context.backward(loss);
      assertThat(context.gradients().get(a).values()).containsExactly(4, 4);
    }
  }

  @Test
  void aLossThatDependsOnNothingIsRefused() {
    try (var context = DistAutograd.context(rpc)) {
      assertThatThrownBy(() -> context.backward(rpc.rref(Tensor.of(1))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nothing that this tensor was computed from requires a gradient");
    }
  }

  @Test
  void aLossIsAScalar() {
    try (var context = DistAutograd.context(rpc)) {
      assertThatThrownBy(() -> context.backward(rpc.rref(a.add(a))))
          .isInstanceOf(ShapeException.class)
          .hasMessageContaining("the loss must be a scalar, but has shape [2]");
      RRef<Tensor> away = rpc.remote("worker1", Tensor::add, a, a);
      assertThatThrownBy(() -> context.backward(away))
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("the loss must be a scalar, but has shape [2]");
    }
  }

  @Test
  void aClosedContextIsNamed() {
    DistContext context = DistAutograd.context(rpc);
    Tensor loss = lossOf(a);
    context.close();
    assertThatThrownBy(() -> context.backward(rpc.rref(loss)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no autograd context "
                + context.id()
                + " on worker0; it was closed, or no call of it reached this worker");
  }
}
