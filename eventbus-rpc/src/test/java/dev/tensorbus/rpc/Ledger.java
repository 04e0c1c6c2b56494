// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.autograd.Tensor;
import java.util.concurrent.CountDownLatch;

/// A tensor that a worker keeps and others read and change.
final class Ledger {
  private final Tensor page;
  private final CountDownLatch open = new CountDownLatch(1);

  /// Begins with the present values of `first`.
  @Remote
  Ledger(Tensor first) {
    page = Tensor.parameterOf(first);
  }

  @Remote
  Tensor page() {
    return page;
  }

  /// Gives what was written before.
  @Remote
  Tensor write(Tensor next) {
    Tensor before = page.detach();
    page.replace(values -> next);
    return before;
  }

  /// The sum of its argument, once it is told to look.
  @Remote
  float sumWhenOpen(Tensor x) throws InterruptedException {
    open.await();
    return x.sum().item();
  }

  @Remote
  void open() {
    open.countDown();
  }

  /// Changes its argument.
  @Remote
  static float sumOfCleared(Tensor x) {
    x.update(values -> new float[values.length]);
    return x.sum().item();
  }
}
