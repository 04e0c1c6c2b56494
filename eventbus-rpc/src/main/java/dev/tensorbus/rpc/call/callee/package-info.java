// SPDX-License-Identifier: Apache-2.0

/// Runs calls from other workers: admits, queues, executes and answers them.
package dev.tensorbus.rpc.call.callee;
