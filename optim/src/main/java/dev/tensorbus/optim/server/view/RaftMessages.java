// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.view.VoterMessage.AppendAnswer;
import dev.tensorbus.optim.server.view.VoterMessage.AppendEntries;
import dev.tensorbus.optim.server.view.VoterMessage.Content;
import dev.tensorbus.optim.server.view.VoterMessage.Entry;
import dev.tensorbus.optim.server.view.VoterMessage.Members;
import dev.tensorbus.optim.server.view.VoterMessage.Operation;
import dev.tensorbus.optim.server.view.VoterMessage.VoteAnswer;
import dev.tensorbus.optim.server.view.VoterMessage.VoteRequest;
import io.microraft.MembershipChangeMode;
import io.microraft.RaftEndpoint;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.VoteResponse;
import java.util.Collection;
import java.util.List;

/// Converts MicroRaft's messages to records that can be sent, and back. There are none about
/// snapshots, since no snapshots are taken.
final class RaftMessages {
  private static final RaftModelFactory MODELS = new DefaultRaftModelFactory();

  private RaftMessages() {}

  static Content toContent(RaftMessage message) {
    int term = message.getTerm();
    return switch (message) {
      case AppendEntriesRequest append ->
          new AppendEntries(
              term,
              append.getPreviousLogTerm(),
              append.getPreviousLogIndex(),
              append.getCommitIndex(),
              append.getLogEntries().stream().map(RaftMessages::toEntry).toList(),
              append.getQuerySequenceNumber(),
              append.getFlowControlSequenceNumber());
      case AppendEntriesSuccessResponse success ->
          new AppendAnswer(
              term,
              true,
              success.getLastLogIndex(),
              success.getQuerySequenceNumber(),
              success.getFlowControlSequenceNumber());
      case AppendEntriesFailureResponse failure ->
          new AppendAnswer(
              term,
              false,
              failure.getExpectedNextIndex(),
              failure.getQuerySequenceNumber(),
              failure.getFlowControlSequenceNumber());
      case PreVoteRequest vote ->
          new VoteRequest(term, true, vote.getLastLogTerm(), vote.getLastLogIndex(), true);
      case io.microraft.model.message.VoteRequest vote ->
          new VoteRequest(
              term, false, vote.getLastLogTerm(), vote.getLastLogIndex(), vote.isSticky());
      case PreVoteResponse answer -> new VoteAnswer(term, true, answer.isGranted());
      case VoteResponse answer -> new VoteAnswer(term, false, answer.isGranted());
      default -> throw new IllegalArgumentException(message + " is not sent between voters");
    };
  }

  private static Entry toEntry(LogEntry entry) {
    Operation operation =
        entry.getOperation() instanceof UpdateRaftGroupMembersOp change
            ? new Members(
                change.getMembers().stream().map(Voter.class::cast).toList(),
                (Voter) change.getEndpoint())
            : (Operation) entry.getOperation();
    return new Entry(entry.getIndex(), entry.getTerm(), operation);
  }

  static RaftMessage toRaft(long group, Voter from, Content content) {
    return switch (content) {
      case AppendEntries append ->
          MODELS
              .createAppendEntriesRequestBuilder()
              .setGroupId(group)
              .setSender(from)
              .setTerm(append.term())
              .setPreviousLogTerm(append.previousTerm())
              .setPreviousLogIndex(append.previousIndex())
              .setCommitIndex(append.commitIndex())
              .setLogEntries(append.entries().stream().map(RaftMessages::toRaft).toList())
              .setQuerySequenceNumber(append.query())
              .setFlowControlSequenceNumber(append.flow())
              .build();
      case AppendAnswer answer when answer.isSuccess() ->
          MODELS
              .createAppendEntriesSuccessResponseBuilder()
              .setGroupId(group)
              .setSender(from)
              .setTerm(answer.term())
              .setLastLogIndex(answer.index())
              .setQuerySequenceNumber(answer.query())
              .setFlowControlSequenceNumber(answer.flow())
              .build();
      case AppendAnswer answer ->
          MODELS
              .createAppendEntriesFailureResponseBuilder()
              .setGroupId(group)
              .setSender(from)
              .setTerm(answer.term())
              .setExpectedNextIndex(answer.index())
              .setQuerySequenceNumber(answer.query())
              .setFlowControlSequenceNumber(answer.flow())
              .build();
      case VoteRequest vote when vote.isPreVote() ->
          MODELS
              .createPreVoteRequestBuilder()
              .setGroupId(group)
              .setSender(from)
              .setTerm(vote.term())
              .setLastLogTerm(vote.lastTerm())
              .setLastLogIndex(vote.lastIndex())
              .build();
      case VoteRequest vote ->
          MODELS
              .createVoteRequestBuilder()
              .setGroupId(group)
              .setSender(from)
              .setTerm(vote.term())
              .setLastLogTerm(vote.lastTerm())
              .setLastLogIndex(vote.lastIndex())
              .setSticky(vote.isSticky())
              .build();
      case VoteAnswer answer when answer.isPreVote() ->
          MODELS
              .createPreVoteResponseBuilder()
              .setGroupId(group)
              .setSender(from)
              .setTerm(answer.term())
              .setGranted(answer.isGranted())
              .build();
      case VoteAnswer answer ->
          MODELS
              .createVoteResponseBuilder()
              .setGroupId(group)
              .setSender(from)
              .setTerm(answer.term())
              .setGranted(answer.isGranted())
              .build();
      default -> throw new IllegalArgumentException(content + " is no message of Raft");
    };
  }

  private static LogEntry toRaft(Entry entry) {
    return MODELS
        .createLogEntryBuilder()
        .setIndex(entry.index())
        .setTerm(entry.term())
        .setOperation(
            entry.operation() instanceof Members change ? toRaft(change) : entry.operation())
        .build();
  }

  private static UpdateRaftGroupMembersOp toRaft(Members change) {
    Collection<RaftEndpoint> members = List.copyOf(change.members());
    return MODELS
        .createUpdateRaftGroupMembersOpBuilder()
        .setMembers(members)
        .setVotingMembers(members)
        .setEndpoint(change.changed())
        .setMode(
            members.contains(change.changed())
                ? MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER
                : MembershipChangeMode.REMOVE_MEMBER)
        .build();
  }
}
