// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static dev.tensorbus.nn.functional.Losses.nllLoss;

import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.verticles.check.Twins;
import java.util.SplittableRandom;

/// The network of `tensorbus train mnist`, local and on another worker.
public final class MnistTwins {
  private static final int BATCH = 16;

  private MnistTwins() {}

  /// Creates both networks and a batch of generated digits. The equal seeds also make dropout
  /// equal.
  public static Twins make(Rpc rpc, String other, long seed) {
    MnistNet here = net(seed);
    RemoteLayer<MnistNet> there = new RemoteLayer<>(rpc.remote(other, MnistTwins::net, seed));
    Batch batch = Batch.of(StrokeDigits.draw(BATCH, new SplittableRandom(seed)));
    return new Twins(
        here.namedParameters(),
        there.remoteParameters(),
        () -> nllLoss(here.forward(batch.inputs()), batch.targets()),
        () -> nllLoss(there.rpcSync(MnistNet::forward, batch.inputs()), batch.targets()));
  }

  @Remote
  static MnistNet net(long seed) {
    return new MnistNet(new SplittableRandom(seed));
  }
}
