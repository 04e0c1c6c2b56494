// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message between voters. The constructors check everything that Raft takes for granted, since
/// messages are decoded from the network.
sealed interface VoterMessage {
  /// The maximum number of log entries or changes in a message.
  int MAX_ELEMENTS = 1024;

  /// Returns the sender.
  Voter from();

  /// Tells others to which group a voter belongs.
  ///
  /// @param group the group to which the sender belongs forever, or null if it belongs to none yet
  record Hello(Voter from, @Nullable Group group, Intent intent) implements VoterMessage {}

  /// Why a voter says hello.
  enum Intent {
    /// It does not take part yet. Members answer.
    JOIN,
    /// It answers.
    ANSWER,
    /// It leaves.
    LEAVE
  }

  /// A message within a group.
  ///
  /// @param group the id of the group
  /// @param to the receiver, whose successor must ignore the message
  record Envelope(long group, Voter from, Voter to, Content content) implements VoterMessage {
    @Override
    public String toString() {
      return from + " > " + to + " " + content;
    }
  }

  /// A group of voters.
  ///
  /// @param initial the first members
  record Group(long id, List<Voter> initial) {
    /// Checks and copies the components.
    public Group {
      initial = copy(initial);
    }
  }

  /// The content of an [Envelope].
  sealed interface Content {}

  /// An operation in the log.
  sealed interface Operation {}

  /// Changes that a voter proposes together.
  ///
  /// @param number the number of the batch among those of its proposer
  record Batch(Voter proposer, long number, List<Object> changes) implements Content, Operation {
    /// Checks and copies the components.
    public Batch {
      changes = copy(changes);
    }
  }

  /// Asks for an [Answer].
  record Question(long number) implements Content {}

  /// Answers a [Question].
  ///
  /// @param term the term of the answering voter
  /// @param committed the index up to which the log is committed, if the answering voter is a
  ///     leader
  ///     that has committed an entry in its term; otherwise [#NO_LEADER]
  record Answer(long number, int term, long committed) implements Content {
    static final long NO_LEADER = -1;

    /// Checks the components.
    public Answer {
      requireNotNegative(term, committed - NO_LEADER);
    }
  }

  /// Raft's AppendEntries request.
  record AppendEntries(
      int term,
      int previousTerm,
      long previousIndex,
      long commitIndex,
      List<Entry> entries,
      long query,
      long flow)
      implements Content {
    /// Checks and copies the components.
    public AppendEntries {
      requireNotNegative(term, previousTerm, previousIndex, commitIndex, query, flow);
      entries = copy(entries);
      long index = previousIndex;
      for (Entry entry : entries) {
        index++;
        if (entry.index() != index || entry.term() > term) {
          throw new IllegalArgumentException(
              entry + " after " + previousIndex + " in term " + term + "; expected index " + index);
        }
      }
    }
  }

  /// A log entry.
  record Entry(long index, int term, Operation operation) {
    /// Checks and copies the components.
    public Entry {
      requireNotNegative(index, term);
    }
  }

  /// Raft's answer to [AppendEntries].
  ///
  /// @param index the last appended index after a success, the expected next index after a failure
  record AppendAnswer(int term, boolean isSuccess, long index, long query, long flow)
      implements Content {
    /// Checks and copies the components.
    public AppendAnswer {
      requireNotNegative(term, index, query, flow);
    }
  }

  /// Raft's request for a vote or, before an election, for the prospect of one.
  record VoteRequest(int term, boolean isPreVote, int lastTerm, long lastIndex, boolean isSticky)
      implements Content {
    /// Checks and copies the components.
    public VoteRequest {
      requireNotNegative(term, lastTerm, lastIndex);
    }
  }

  /// Raft's answer to [VoteRequest].
  record VoteAnswer(int term, boolean isPreVote, boolean isGranted) implements Content {
    /// Checks and copies the components.
    public VoteAnswer {
      requireNotNegative(term);
    }
  }

  /// The first entry of each leader.
  ///
  /// @param number the number of elections that the leader has won
  record NewTerm(Voter leader, long number) implements Operation {}

  /// A change of the group.
  ///
  /// @param members the members after the change
  /// @param changed the voter that is added or removed
  record Members(List<Voter> members, Voter changed) implements Operation {
    /// Checks and copies the components.
    public Members {
      members = copy(members);
    }
  }

  private static <T> List<T> copy(List<T> list) {
    if (list.size() > MAX_ELEMENTS) {
      throw new IllegalArgumentException(list.size() + " elements; expected " + MAX_ELEMENTS);
    }
    return List.copyOf(list);
  }

  private static void requireNotNegative(long... numbers) {
    for (long number : numbers) {
      if (number < 0) {
        throw new IllegalArgumentException(number + " in a message must not be negative");
      }
    }
  }
}
