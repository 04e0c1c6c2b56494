// SPDX-License-Identifier: Apache-2.0
import dev.tensorbus.autograd.Tensor
import dev.tensorbus.nn.Linear
import dev.tensorbus.nn.functional.Losses
import dev.tensorbus.optim.Sgd
import dev.tensorbus.optim.distributed.DistributedOptimizer
import dev.tensorbus.rpc.Remote
import dev.tensorbus.rpc.Rpc
import dev.tensorbus.rpc.autograd.DistAutograd
import dev.tensorbus.rpc.parallel.RemoteLayer
import java.util.Random

/** Worker 0 holds the model; worker 1 trains it with points on the line y = 2x - 3. */
@Remote fun line() = Linear(1, 1, Random(1))

fun main() = Rpc.run { rpc -> if (rpc.self().id() == 1) train(rpc) }

fun train(rpc: Rpc) {
  val model = RemoteLayer(rpc.remote("worker0", ::line))
  val optimizer = DistributedOptimizer.create(rpc, Sgd(0.1), model.remoteParameters())
  val random = Random(2)
  for (step in 1..100) {
    val x = Tensor.randn(random, 32, 1)
    val y = x.scale(2.0).sub(Tensor.of(3f))
    DistAutograd.context(rpc).use { context -> // one step, on all workers
      val loss = Losses.mseLoss(model.rpcSync(Linear::forward, x), y)
      context.backward(loss)
      optimizer.step(context)
      if (step % 10 == 0) println("step $step  loss ${loss.item()}")
    }
  }
}
