// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.languages

import dev.tensorbus.autograd.Tensor
import dev.tensorbus.rpc.RRef
import dev.tensorbus.rpc.Remote
import dev.tensorbus.rpc.RemoteFunction.F1
import dev.tensorbus.rpc.Rpc
import dev.tensorbus.rpc.RpcOptions
import io.vertx.core.Vertx
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test

class Server @Remote constructor() {
  private var sum = 0

  @Remote fun update(x: Int): Int { sum += x; return sum }

  @Remote internal fun reset() { sum = 0 }
}

@Remote fun twice(x: Int): Int = 2 * x

class KotlinCallsTest {
  private val vertx = Vertx.vertx()
  private val rpc = Rpc.init(vertx, "ps", RpcOptions.worldSize(1).withRank(0))

  @AfterEach
  fun close() {
    rpc.close()
    vertx.close().await()
  }

  @Test
  fun aReferenceNamesItsMethod() {
    val server: RRef<Server> = rpc.remote("ps", ::Server)
    assertThat(server.rpcSync(Server::update, 3)).isEqualTo(3)
    server.rpcSync(Server::reset)
    assertThat(server.rpcAsync(Server::update, 4).await()).isEqualTo(4)
    assertThat(rpc.rpcSync("ps", ::twice, 3)).isEqualTo(6)
    assertThat(rpc.rpcSync("ps", Tensor::neg, Tensor.of(3f)).item()).isEqualTo(-3f)
  }

  @Test
  fun aMethodIsCalledByItsName() {
    val server: RRef<Server> = rpc.remote("ps", "dev.tensorbus.languages.Server.new")
    val sum: Int = server.rpcSync("dev.tensorbus.languages.Server.update", 3)
    assertThat(sum).isEqualTo(3)
  }

  @Test
  fun aLambdaIsRefusedWithTheCure() {
    assertThatThrownBy { rpc.rpcSync("ps", F1 { x: Tensor -> x.neg().neg() }, Tensor.of(3f)) }
      .hasMessage(
        "a remote call needs a reference to a method; this is a Kotlin or Scala lambda that does" +
          " more than call one; mark a method @Remote and call it by its name, as in" +
          " rpc.rpcSync(\"ps\", \"dev.example.Server.update\", x)")
  }
}
