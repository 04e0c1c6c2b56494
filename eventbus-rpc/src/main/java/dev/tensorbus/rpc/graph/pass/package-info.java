// SPDX-License-Identifier: Apache-2.0

/// Runs one worker's part of a backward pass: its sweep, its messages, its threads and its end.
package dev.tensorbus.rpc.graph.pass;
