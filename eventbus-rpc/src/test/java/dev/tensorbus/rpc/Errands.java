// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.concurrent.atomic.AtomicReference;

/// What workers run for each other in the contract's themes.
final class Errands {
  private Errands() {}

  /// What a worker was given to keep.
  private static final class Kept {
    private final AtomicReference<RRef<Probe>> reference = new AtomicReference<>();
  }

  private static AtomicReference<RRef<Probe>> kept() {
    return Rpc.current().shared(Kept.class, Kept::new).reference;
  }

  /// Keeps a reference, and sends it back.
  @Remote
  static RRef<Probe> keep(RRef<Probe> reference) {
    kept().set(reference);
    return reference;
  }

  /// Asks the object that is kept.
  @Remote
  static int askKept(int other) {
    return kept().get().rpcSync(Probe::plus, other);
  }

  /// Gives up what is kept.
  @Remote
  static void dropKept() {
    kept().getAndSet(null).close();
  }
}
