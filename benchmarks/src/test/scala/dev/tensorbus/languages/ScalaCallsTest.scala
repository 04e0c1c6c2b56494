// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.languages

import dev.tensorbus.autograd.Tensor
import dev.tensorbus.rpc.{RRef, Remote, Rpc, RpcOptions}
import dev.tensorbus.rpc.RemoteFunction.{A1, F0, F1, F2, V1}
import io.vertx.core.{Future, Vertx}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.junit.jupiter.api.{AfterEach, Test}

class Table @Remote() () {
  private var sum = 0

  @Remote def update(x: Int): Int = { sum += x; sum }

  @Remote def reset(): Unit = sum = 0
}

object Table {
  @Remote def twice(x: Int): Int = 2 * x

  @Remote def later(x: Integer): Future[Integer] = Future.succeededFuture(x)
}

class ScalaCallsTest {
  private val vertx = Vertx.vertx()
  private val rpc = Rpc.init(vertx, "ps", RpcOptions.worldSize(1).withRank(0))

  @AfterEach
  def close(): Unit = {
    rpc.close()
    vertx.close().await()
  }

  @Test
  def aFunctionThatOnlyCallsAMethodNamesIt(): Unit = {
    val make: F0[Table] = () => new Table()
    val update: F2[Table, Int, Int] = _.update(_)
    val reset: V1[Table] = _.reset()
    val table: RRef[Table] = rpc.remote("ps", make)
    assertThat(table.rpcSync(update, 3)).isEqualTo(3)
    table.rpcSync(reset)
    assertThat(table.rpcAsync(update, 4).await()).isEqualTo(4)
    val neg: F1[Tensor, Tensor] = _.neg()
    assertThat(rpc.rpcSync("ps", neg, Tensor.of(3f)).item()).isEqualTo(-3f)
  }

  @Test
  def aMethodOfAnObjectIsNamed(): Unit = {
    val twice: F1[Int, Int] = Table.twice
    val later: A1[Integer, Integer] = Table.later
    assertThat(rpc.rpcSync("ps", twice, 3)).isEqualTo(6)
    assertThat(rpc.rpcSync("ps", later, Integer.valueOf(5))).isEqualTo(5)
  }

  @Test
  def aMethodIsCalledByItsName(): Unit = {
    val table: RRef[Table] = rpc.remote("ps", "dev.tensorbus.languages.Table.new")
    val sum: Int = table.rpcSync("dev.tensorbus.languages.Table.update", 3)
    assertThat(sum).isEqualTo(3)
  }

  @Test
  def aFunctionThatDoesMoreIsRefusedWithTheCure(): Unit = {
    for function <- List[F1[Tensor, Tensor]](_.neg().neg(), x => x.add(x), _ => Tensor.of(1f)) do
      assertThatThrownBy(() => rpc.rpcSync("ps", function, Tensor.of(3f)))
        .hasMessageStartingWith(
          "a remote call needs a reference to a method; this is a Kotlin or Scala lambda that does"
            + " more than call one")
  }
}
