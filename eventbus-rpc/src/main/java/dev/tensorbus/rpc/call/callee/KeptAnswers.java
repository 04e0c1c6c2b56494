// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.wire.Frame;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The answers to one caller's latest calls, which the caller may request again. Holds up to 4 MiB.
public final class KeptAnswers {
  private static final int MOST_BYTES = 4 << 20;

  /// The memory that an answer takes in addition to its contents, in bytes.
  private static final int OVERHEAD = 128;

  private final NavigableMap<Long, Frame> answers = new TreeMap<>();
  private long bytes;

  /// Keeps an answer and, if necessary, evicts the answers to the oldest calls. An answer that is
  /// too large is not kept.
  public void add(long call, Frame answer) {
    if (size(answer) > MOST_BYTES || answers.put(call, answer) != null) {
      return;
    }
    bytes += size(answer);
    while (bytes > MOST_BYTES) {
      dropFirst();
    }
  }

  private static long size(Frame answer) {
    return answer.size() + OVERHEAD;
  }

  private void dropFirst() {
    Map.Entry<Long, Frame> first = answers.pollFirstEntry();
    bytes -= first == null ? bytes : size(first.getValue());
  }

  /// Drops the answers to all calls with numbers below `call`.
  void dropBelow(long call) {
    while (!answers.isEmpty() && answers.firstKey() < call) {
      dropFirst();
    }
  }

  /// Returns the answer to a call, or null if it is not kept.
  public @Nullable Frame get(long call) {
    return answers.get(call);
  }
}
