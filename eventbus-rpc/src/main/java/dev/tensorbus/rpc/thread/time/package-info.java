// SPDX-License-Identifier: Apache-2.0

/// The one place that reads the time: clocks, alarms, deadlines and stopwatches.
package dev.tensorbus.rpc.thread.time;
