// SPDX-License-Identifier: Apache-2.0

/// Remote calls between workers: [Rpc], references, options and exceptions.
///
/// It has more than 15 files since it is the public interface: a user imports the whole of it from
/// one place, as from `torch.distributed.rpc`.
package dev.tensorbus.rpc;
