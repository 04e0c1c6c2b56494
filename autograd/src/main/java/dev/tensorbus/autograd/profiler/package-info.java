// SPDX-License-Identifier: Apache-2.0

/// Events of the JDK's Flight Recorder (JFR) for the computations of a process. The profiler in
/// `dev.tensorbus.rpc.observe.profiler` collects them; `jfr` and JDK Mission Control show them,
/// too.
package dev.tensorbus.autograd.profiler;
