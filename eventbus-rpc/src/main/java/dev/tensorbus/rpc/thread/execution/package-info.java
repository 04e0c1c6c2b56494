// SPDX-License-Identifier: Apache-2.0

/// Decides which thread runs which code; see the table in docs/execution.md.
package dev.tensorbus.rpc.thread.execution;
