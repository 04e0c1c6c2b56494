// SPDX-License-Identifier: Apache-2.0

/// The one door to clocks, threads and randomness.
package dev.tensorbus.rpc.thread;
