// SPDX-License-Identifier: Apache-2.0

/// Runs a distributed backward pass on one worker: sweep, messages, threads and termination.
package dev.tensorbus.rpc.graph.pass;
