// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.view.VoterMessage.VoteAnswer;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftRole;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.state.RaftState;

/// All that needs the internal classes of MicroRaft 0.7: an election at once, and the repair of two
/// faults in its pre-votes, after which no leader might be elected any more although a majority is
/// alive. Neither repair gives a vote. Before an election, a voter usually asks in a pre-vote
/// whether it would get the votes.
final class RaftInternals {
  private RaftInternals() {}

  /// Starts an election without a pre-vote, because the leader is known to be dead. Voters vote
  /// even if they have not heard of its death, as in a transfer of leadership (section 3.10 of
  /// Ongaro's thesis).
  static void elect(RaftNode raft) {
    RaftNodeImpl node = (RaftNodeImpl) raft;
    if (node.state().role() == RaftRole.FOLLOWER) {
      node.leader(null);
      node.toCandidate(false);
    }
  }

  /// Ends a pre-vote that has become superfluous, since the leader was only slow. Otherwise the
  /// voter would never begin another one in this term, even if the leader dies.
  static void endPreVote(RaftNode raft) {
    RaftNodeImpl node = (RaftNodeImpl) raft;
    RaftState state = node.state();
    RaftEndpoint leader = state.leader();
    if (state.role() == RaftRole.FOLLOWER && leader != null && state.preCandidateState() != null) {
      node.toFollower(state.term());
      node.leader(leader);
    }
  }

  /// Learns a later term from a voter that rejects a pre-vote. Otherwise two voters could reject
  /// each other forever, of which one has the longer log and the other is in the later term.
  static void learnTerm(RaftNode raft, VoteAnswer answer) {
    RaftNodeImpl node = (RaftNodeImpl) raft;
    RaftState state = node.state();
    boolean isAhead = answer.term() > state.term() + 1; // a pre-vote is for the next term
    if (answer.isPreVote() && !answer.isGranted() && isAhead && state.leader() == null) {
      node.toFollower(answer.term());
    }
  }
}
