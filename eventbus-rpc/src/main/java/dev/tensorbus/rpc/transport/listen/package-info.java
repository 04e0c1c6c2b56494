// SPDX-License-Identifier: Apache-2.0

/// Opens the listening sockets of a worker and decides who may connect: ranges of ports, checks of
/// new connections, and limits for silent connections.
package dev.tensorbus.rpc.transport.listen;
