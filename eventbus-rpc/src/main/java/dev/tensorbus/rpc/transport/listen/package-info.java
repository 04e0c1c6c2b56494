// SPDX-License-Identifier: Apache-2.0

/// Opens all listening sockets of a worker and decides who may connect: ports and ranges, the check
/// of new connections, and limits for silent connections.
package dev.tensorbus.rpc.transport.listen;
