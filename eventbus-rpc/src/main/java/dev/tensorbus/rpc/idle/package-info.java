// SPDX-License-Identifier: Apache-2.0

/// Decides how a thread waits, and does it: docs/execution.md explains when a thread spins.
package dev.tensorbus.rpc.idle;
