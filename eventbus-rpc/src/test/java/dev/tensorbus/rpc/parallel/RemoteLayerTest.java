// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.rpc.MemoryHosts;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.autograd.DistAutograd;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RemoteLayerTest {
  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  private final World world = HOSTS.open(3);
  private final Rpc rpc = world.worker(0);
  private final RemoteLayer<Scaling> layer =
      new RemoteLayer<>(rpc.remote("worker1", Scaling::new, 3f));
  private final Tensor x = Tensor.of(1, 2);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void forwardRunsWhereTheLayerIs() {
    assertThat(layer.rpcSync(Scaling::forward, x).values()).containsExactly(3, 6);
    assertThat(layer.rpcAsync(Scaling::forward, x).await().values()).containsExactly(3, 6);
    assertThat(layer.remote(Scaling::forward, x).toHere().values()).containsExactly(3, 6);
  }

  @Test
  void layersOfTheLibraryNeedNoMark() {
    Linear linear = new Linear(2, 1, new SplittableRandom(1));
    RemoteLayer<Linear> mine = new RemoteLayer<>(rpc.rref(linear));
    Tensor batch = Tensor.zeros(4, 2);
    assertThat(mine.rpcSync(Linear::forward, batch).shape()).isEqualTo(Shape.of(4, 1));
  }

  @Test
  void onlyForwardIsOfferedWithoutAMark() {
    assertThatThrownBy(() -> layer.rpcSync(Scaling::secret, x))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("Scaling.secret is not marked @Remote");
  }

  @Test
  void aConstructorThatThrowsIsHeardOfAtTheFirstUse() {
    var broken = new RemoteLayer<>(rpc.remote("worker1", Scaling::new, 0f));
    assertThatThrownBy(() -> broken.rpcSync(Scaling::forward, x))
        .hasMessageContaining("factor 0 leaves nothing");
  }

  @Test
  void itsParametersAreReferences() {
    List<RRef<Tensor>> parameters = layer.remoteParameters();
    assertThat(parameters).hasSize(1);
    assertThat(parameters.getFirst().owner().name()).isEqualTo("worker1");
    assertThat(parameters.getFirst().toHere().values()).containsExactly(3);
  }

  @Test
  void itsStateHasTheNamesAndValuesOfTheLayer() {
    assertThat(layer.state().tensors()).hasSize(1).containsKey("factor");
    assertThat(layer.state().tensors().values().iterator().next().values()).containsExactly(3);
  }

  @Test
  void theReferenceIsExposed() {
    assertThat(layer.rref().owner().name()).isEqualTo("worker1");
    assertThat(layer.rref().rpcSync(Scaling::forward, x).values()).containsExactly(3, 6);
  }

  @Test
  void trainAndEvalSwitchTheLayerItself() {
    assertThat(layer.rpcSync(Scaling::trains)).isTrue();
    layer.eval();
    assertThat(layer.rpcSync(Scaling::trains)).isFalse();
    layer.train();
    assertThat(layer.rpcSync(Scaling::trains)).isTrue();
  }

  @Test
  void itTravelsInCalls() {
    assertThat(rpc.rpcSync("worker2", Scaling::forwardAt, layer, x).values()).containsExactly(3, 6);
    assertThat(rpc.rpcSync("worker1", Scaling::forwardAt, layer, x).values()).containsExactly(3, 6);
    RemoteLayer<Scaling> back = rpc.rpcSync("worker2", Scaling::relay, layer);
    assertThat(back.rpcSync(Scaling::forward, x).values()).containsExactly(3, 6);
  }

  @Test
  void anyReferenceToALayerMakesOneAndAllShareTheLayer() {
    var other = new RemoteLayer<>(layer.rref());
    other.eval();
    assertThat(layer.rpcSync(Scaling::trains)).isFalse();
    assertThat(other.remoteParameters().getFirst().toHere().values()).containsExactly(3);
  }

  @Test
  void gradientsReachTheRemoteParameters() {
    RRef<Tensor> factor = layer.remoteParameters().getFirst();
    try (var context = DistAutograd.context(rpc)) {
      context.backward(layer.rpcSync(Scaling::forward, x).sum());
      assertThat(factor.rpcSync(RemoteLayerTest::gradient, context.id()).item()).isEqualTo(3);
    }
  }

  @Remote
  static Tensor gradient(Tensor parameter, long context) {
    return DistAutograd.gradients(context).get(parameter);
  }

  @Test
  void closingItGivesTheReferenceUp() {
    layer.rpcSync(Scaling::forward, x);
    layer.close();
    assertThatThrownBy(() -> layer.rpcSync(Scaling::forward, x)).hasMessageContaining("is closed");
    World.eventually(() -> world.worker(1).debugInfo().get("rref.owned") == 0);
  }

  @Test
  void javaSerializationRefusesIt() {
    assertThatThrownBy(
            () -> new ObjectOutputStream(OutputStream.nullOutputStream()).writeObject(layer))
        .isInstanceOf(NotSerializableException.class);
  }

  @Test
  void aWorkersNameIsTheWholeAddress() {
    assertThatThrownBy(() -> rpc.remote("worker1/cuda:0", Scaling::new, 3f))
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("no worker \"worker1/cuda:0\"; known workers: worker0, worker1, worker2");
  }
}
