// SPDX-License-Identifier: Apache-2.0

/// Runs the calls of other workers: those that wait here, run here, or have run here.
package dev.tensorbus.rpc.call.callee;
