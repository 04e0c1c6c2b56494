// SPDX-License-Identifier: Apache-2.0

/// Provides the time to all other packages: clocks, alarms, deadlines and stopwatches.
package dev.tensorbus.rpc.thread.time;
