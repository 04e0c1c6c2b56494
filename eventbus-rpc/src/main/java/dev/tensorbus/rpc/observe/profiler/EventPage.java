// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import java.util.List;

/// Some of the events that a process has recorded.
///
/// @param isLast whether no more follow
/// @param leftOut how many it left out, since there were too many
record EventPage(List<LocalEvent> events, boolean isLast, long leftOut) {}
