// SPDX-License-Identifier: Apache-2.0

/// Sets up lanes: the routes on which large tensors bypass the event bus, through a file in shared
/// memory or a dedicated connection.
package dev.tensorbus.rpc.transport.lane;
