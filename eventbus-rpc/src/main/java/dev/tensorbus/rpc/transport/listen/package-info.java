// SPDX-License-Identifier: Apache-2.0

/// Opens every listening socket of a worker and decides who may connect: ports and ranges, the
/// check of new connections, and how many may be silent for how long.
package dev.tensorbus.rpc.transport.listen;
