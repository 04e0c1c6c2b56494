// SPDX-License-Identifier: Apache-2.0

/// The only access to the time: clocks, alarms, deadlines and stopwatches.
package dev.tensorbus.rpc.thread.time;
