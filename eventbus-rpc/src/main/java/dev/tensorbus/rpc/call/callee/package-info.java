// SPDX-License-Identifier: Apache-2.0

/// Runs the calls of other workers: those that are queued, run, or have run on this worker.
package dev.tensorbus.rpc.call.callee;
