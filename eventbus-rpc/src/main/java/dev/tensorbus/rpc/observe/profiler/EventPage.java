// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import java.util.List;

/// A page of the events that one process has recorded.
///
/// @param isLast whether this is the last page
/// @param leftOut the number of events dropped because the recording was too long
record EventPage(List<LocalEvent> events, boolean isLast, long leftOut) {}
