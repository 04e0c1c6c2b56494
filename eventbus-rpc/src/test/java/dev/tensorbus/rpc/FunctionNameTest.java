// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FunctionNameTest {
  /// Some compilers make such a class of each reference.
  @SuppressWarnings("serial")
  private static final class Made implements RemoteFunction.F1<Integer, Integer> {
    @Override
    public Integer apply(Integer x) {
      return x;
    }
  }

  @Test
  void anObjectThatNamesNoMethodIsRefusedWithTheCure() {
    assertThatThrownBy(() -> FunctionName.of(new Made()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a remote call needs a method reference such as Tensor::add; this is an object of"
                + " class dev.tensorbus.rpc.FunctionNameTest$Made, which names no method; mark a"
                + " method @Remote and call it by its name, as in rpc.rpcSync(\"ps\","
                + " \"dev.example.Server.update\", x)");
  }
}
