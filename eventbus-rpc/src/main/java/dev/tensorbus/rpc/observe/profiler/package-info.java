// SPDX-License-Identifier: Apache-2.0

/// Profiles where the time in a block of code goes, on every worker. Each process records events
/// with the JDK's Flight Recorder, and the profiling worker combines them.
package dev.tensorbus.rpc.observe.profiler;
