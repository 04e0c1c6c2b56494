// SPDX-License-Identifier: Apache-2.0

/// Alarms and limits of time.
package dev.tensorbus.rpc.thread.time;
