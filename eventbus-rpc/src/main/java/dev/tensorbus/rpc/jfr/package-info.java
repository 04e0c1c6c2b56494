// SPDX-License-Identifier: Apache-2.0

/// JDK Flight Recorder (JFR) events for calls and backward passes. They cost almost nothing without
/// a recording.
package dev.tensorbus.rpc.jfr;
