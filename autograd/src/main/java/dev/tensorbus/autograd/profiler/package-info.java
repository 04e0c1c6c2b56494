// SPDX-License-Identifier: Apache-2.0

/// The computations of a process as events of the JDK's Flight Recorder (JFR). The profiler of
/// `dev.tensorbus.rpc.observe.profiler` collects them; `jfr` and JDK Mission Control show them too.
package dev.tensorbus.autograd.profiler;
