// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Turns gradients into new parameters.
@NullMarked
module dev.tensorbus.optim {
  requires transitive dev.tensorbus.autograd;
  requires static transitive org.jspecify;

  exports dev.tensorbus.optim;
}
