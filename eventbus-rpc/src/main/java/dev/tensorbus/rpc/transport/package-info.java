// SPDX-License-Identifier: Apache-2.0

/// Carries frames between workers; see [dev.tensorbus.rpc.transport.Transport].
package dev.tensorbus.rpc.transport;
