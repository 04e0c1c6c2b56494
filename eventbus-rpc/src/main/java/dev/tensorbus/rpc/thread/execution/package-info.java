// SPDX-License-Identifier: Apache-2.0

/// Decides which thread runs what; docs/execution.md has the table.
package dev.tensorbus.rpc.thread.execution;
