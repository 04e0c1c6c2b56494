// SPDX-License-Identifier: Apache-2.0

/// The calls and backward passes of a worker as events of the JDK's Flight Recorder (JFR). They
/// cost almost nothing without a recording.
package dev.tensorbus.rpc.jfr;
