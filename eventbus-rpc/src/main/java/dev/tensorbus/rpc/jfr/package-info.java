// SPDX-License-Identifier: Apache-2.0

/// The calls and backward passes of a worker as events of the JDK's Flight Recorder (JFR). They
/// cost next to nothing while nobody records.
package dev.tensorbus.rpc.jfr;
