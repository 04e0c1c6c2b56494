// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

import dev.tensorbus.rpc.wire.Frame;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The latest answers to one caller's calls that it may repeat, at most 1024 of them and 4 MiB.
/// Guarded by its owner.
public final class KeptAnswers {
  private static final int MOST = 1024;
  private static final int MOST_BYTES = 4 << 20;

  private final LinkedHashMap<Long, Frame> answers = new LinkedHashMap<>();
  private long bytes;

  /// Keeps an answer; the oldest ones make room for it. One that is too large is not kept.
  public void add(long call, Frame answer) {
    long size = answer.size();
    if (size > MOST_BYTES) {
      return;
    }
    answers.put(call, answer);
    bytes += size;
    while (answers.size() > MOST || bytes > MOST_BYTES) {
      Map.Entry<Long, Frame> oldest = answers.pollFirstEntry();
      bytes -= oldest == null ? bytes : oldest.getValue().size();
    }
  }

  /// The answer of a call, or null if it is not kept.
  public @Nullable Frame get(long call) {
    return answers.get(call);
  }
}
