// SPDX-License-Identifier: Apache-2.0

/// Remote calls between workers: [Rpc], references, options and exceptions.
///
/// The package has more than 15 files because it is the public interface: users import all of it
/// from one place, as from `torch.distributed.rpc`.
package dev.tensorbus.rpc;
