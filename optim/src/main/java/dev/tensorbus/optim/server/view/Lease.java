// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.view.VoterMessage.Answer;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Knows at which time a voter's state was the newest one. The voter regularly asks all members for
/// their term, and the leader up to which index the log is committed. If a majority is in the
/// leader's term, no other leader has committed anything before the question, since a majority
/// would have had to vote for it. When the log is applied up to that index, the state is as new as
/// any was when the question was sent.
///
/// Only the voter's own monotonic clock is used, so messages may take arbitrarily long.
final class Lease {
  private static final int MAX_QUESTIONS = 8;

  private record Question(long time, Map<Voter, Answer> answers) {}

  /// @param index the index up to which the log must be applied
  private record Confirmation(long index, long time) {}

  private final long nanos;
  private final Map<Long, Question> questions = new LinkedHashMap<>();
  private @Nullable Confirmation confirmation;
  private long number;

  /// The time at which the lease ends, null before the first one.
  private volatile @Nullable Long end;

  Lease(long nanos) {
    this.nanos = nanos;
  }

  /// Returns the number of a question that is sent now.
  long ask(long now) {
    questions.put(++number, new Question(now, new HashMap<>()));
    questions.remove(number - MAX_QUESTIONS);
    return number;
  }

  /// Records an answer.
  ///
  /// @param members the members of the group
  /// @param applied the index up to which the log is applied
  void answered(Voter from, Answer answer, Collection<Voter> members, long applied) {
    Question question = questions.get(answer.number());
    if (question == null) {
      return;
    }
    question.answers.put(from, answer);
    for (Answer leaders : question.answers.values()) {
      if (leaders.committed() != Answer.NO_LEADER && isMajority(question, leaders, members)) {
        questions.keySet().removeIf(earlier -> earlier <= answer.number());
        confirmation = new Confirmation(leaders.committed(), question.time());
        applied(applied);
        return;
      }
    }
  }

  private static boolean isMajority(Question question, Answer leaders, Collection<Voter> members) {
    long count =
        members.stream()
            .map(question.answers::get)
            .filter(answer -> answer != null && answer.term() == leaders.term())
            .count();
    return 2 * count > members.size();
  }

  /// Records that the log is applied up to an index.
  void applied(long index) {
    Confirmation due = confirmation;
    if (due != null && due.index() <= index) {
      end = due.time() + nanos;
      confirmation = null;
    }
  }

  /// Returns whether the lease has not ended. Any thread may call this method.
  boolean isValid(long now) {
    return remaining(now) > 0;
  }

  /// Returns the nanoseconds until the lease ends, or 0. Any thread may call this method.
  long remaining(long now) {
    Long until = end;
    return until == null ? 0 : Math.max(0, until - now);
  }
}
