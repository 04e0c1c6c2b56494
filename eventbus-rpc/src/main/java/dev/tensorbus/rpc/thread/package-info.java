// SPDX-License-Identifier: Apache-2.0

/// The only access to clocks, threads and random numbers.
package dev.tensorbus.rpc.thread;
