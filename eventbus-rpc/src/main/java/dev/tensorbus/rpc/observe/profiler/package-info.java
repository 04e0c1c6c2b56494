// SPDX-License-Identifier: Apache-2.0

/// The profiler: where the time of a block goes, on every worker. Each process records events of
/// the JDK's Flight Recorder, and the profiling worker combines them.
package dev.tensorbus.rpc.observe.profiler;
