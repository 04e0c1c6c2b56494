// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// The messages between voters.
public final class ViewTypes implements WireTypes {
  /// Called by the service loader.
  public ViewTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(
        Voter.class,
        VoterMessage.Hello.class,
        VoterMessage.Intent.class,
        VoterMessage.Group.class,
        VoterMessage.Envelope.class,
        VoterMessage.Batch.class,
        VoterMessage.Question.class,
        VoterMessage.Answer.class,
        VoterMessage.AppendEntries.class,
        VoterMessage.AppendAnswer.class,
        VoterMessage.Entry.class,
        VoterMessage.NewTerm.class,
        VoterMessage.Members.class,
        VoterMessage.VoteRequest.class,
        VoterMessage.VoteAnswer.class);
  }
}
