// SPDX-License-Identifier: Apache-2.0
/// An application of two workers.
module example {
  requires dev.tensorbus.optim;

  opens example to
      dev.tensorbus.rpc; // which runs its methods
}
