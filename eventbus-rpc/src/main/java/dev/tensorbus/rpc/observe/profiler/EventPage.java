// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import java.util.List;

/// A page of the events that a process has recorded.
///
/// @param isLast whether this is the last page
/// @param leftOut the number of events beyond the limit
record EventPage(List<LocalEvent> events, boolean isLast, long leftOut) {}
