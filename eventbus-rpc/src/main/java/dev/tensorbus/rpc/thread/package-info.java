// SPDX-License-Identifier: Apache-2.0

/// Provides the clocks, threads and random numbers that all other packages use.
package dev.tensorbus.rpc.thread;
