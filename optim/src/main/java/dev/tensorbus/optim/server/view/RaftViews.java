// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.view.Roster.Sighting;
import dev.tensorbus.optim.server.view.VoterMessage.Answer;
import dev.tensorbus.optim.server.view.VoterMessage.Batch;
import dev.tensorbus.optim.server.view.VoterMessage.Content;
import dev.tensorbus.optim.server.view.VoterMessage.Envelope;
import dev.tensorbus.optim.server.view.VoterMessage.Group;
import dev.tensorbus.optim.server.view.VoterMessage.Hello;
import dev.tensorbus.optim.server.view.VoterMessage.Intent;
import dev.tensorbus.optim.server.view.VoterMessage.Question;
import dev.tensorbus.optim.server.view.VoterMessage.VoteAnswer;
import dev.tensorbus.rpc.Rpc;
import io.microraft.MembershipChangeMode;
import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNodeStatus;
import io.microraft.executor.RaftNodeExecutor;
import io.microraft.model.message.RaftMessage;
import io.microraft.report.RaftGroupMembers;
import io.microraft.report.RaftTerm;
import io.microraft.transport.Transport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The views of workers of which a majority agrees by Raft, as MicroRaft implements it.
///
/// **Founding.** Every voter says hello to the others until it belongs to a group. The first of the
/// list founds the group once it has heard from all; the group consists of the lives from which it
/// has heard. A voter belongs to the first group of which it hears, forever, and the founder votes
/// only when all members belong to the group. So whoever comes later hears of the group from any
/// survivor, and no second group is founded beside it.
///
/// **Restart.** A voter keeps nothing on disk, so a worker that comes back is another voter. It
/// says hello until the leader has removed its predecessor and added it.
///
/// All state is confined to the executor of the [VoterHost].
public final class RaftViews<S, C> implements Views<S, C> {
  /// The shortest silence, in periods, after which a leader is considered dead.
  private static final int MIN_LEADER_TIMEOUT = 3;

  /// The time in periods that an election may take, during which nobody can renew a lease.
  private static final int ELECTION = 5;

  /// The number of times that a voter asks for a lease before the former one ends.
  private static final int RENEWALS = 8;

  /// The time in periods for which a hello counts.
  private static final int HELLO_TIMEOUT = 3;

  /// The time in periods after which a worker's new life replaces a silent one in the group.
  private static final int REPLACEMENT_DELAY = 2;

  /// The time in periods after which a batch is sent again.
  private static final int RETRY = 2;

  /// The time in periods without a leader after which the voters wait twice as long for votes. On a
  /// host that is so busy that messages take longer than an election may, none would ever succeed.
  private static final int ELECTION_PATIENCE = 8;

  /// The number of times that the wait for votes is doubled.
  private static final int MAX_DOUBLINGS = 5;

  /// The number of log entries, which are kept until the end: in version 0.7, a deposed leader
  /// whose log starts with a snapshot may be unable to catch up. There is an entry for each change,
  /// death and return of a voter, and election.
  private static final int MAX_LOG_ENTRIES = 1 << 18;

  private static final String LEFT = "this voter has left; it decides nothing any more";

  private final VoterHost host;
  private final List<String> names;
  private final Voter me;
  private final long periodNanos;
  private final long limitNanos;
  private final int leaderTimeout;
  private final ElectionClock clock;
  private final Roster roster = new Roster();
  private final AgreedState<S, C> replica;
  private final Proposals<S> proposals;
  private final Lease lease;
  private final List<Consumer<S>> listeners = new CopyOnWriteArrayList<>();
  private final List<Batch> replicating = new ArrayList<>();

  private @Nullable Group group;
  private @Nullable RaftNode raft;
  private int accusedTerm = -1; // none
  private long electionAt;
  private S told;
  private long ticks;
  private @Nullable Batch sent;
  private @Nullable RaftEndpoint sentTo;
  private long sentAt;
  private long hopelessPeriods;
  private long leaderlessPeriods;
  private boolean isWarned;
  private boolean isClosed;
  private volatile boolean isLeader;
  private Runnable onClose = () -> {};

  /// @param names the workers that vote, in the same order on each of them
  /// @param name this worker
  /// @param apply returns the state after a change, or the same state if the change does not apply
  /// @param heartbeatTimeout the heartbeat timeout of the world, from which all times are derived
  RaftViews(
      List<String> names,
      String name,
      S initial,
      BiFunction<S, C, S> apply,
      Duration heartbeatTimeout,
      VoterHost host) {
    this.host = host;
    this.names = List.copyOf(names);
    this.me = new Voter(name, host.random().nextLong());
    this.periodNanos = period(heartbeatTimeout).toNanos();
    this.limitNanos = heartbeatTimeout.toNanos();
    this.leaderTimeout = leaderTimeout(heartbeatTimeout);
    this.clock = new ElectionClock(host::nanoTime, periodNanos);
    this.lease = new Lease(lease(heartbeatTimeout).toNanos());
    this.proposals = new Proposals<>(me);
    this.told = initial;
    this.replica = new AgreedState<>(me, initial, apply, new Applied());
  }

  /// Makes a worker a voter. All voters must open their views, with equal arguments.
  ///
  /// @param names the workers that vote, among them this one
  /// @param apply returns the state after a change, or the same state if the change does not apply;
  ///     depends only on its arguments
  /// @param heartbeatTimeout the heartbeat timeout of the world, from which all times are derived
  /// @throws IllegalArgumentException if this worker is not among the voters
  public static <S, C> Views<S, C> open(
      Rpc rpc,
      List<String> names,
      S initial,
      BiFunction<S, C, S> apply,
      Duration heartbeatTimeout) {
    String name = rpc.self().name();
    if (!names.contains(name) || Set.copyOf(names).size() < names.size()) {
      throw new IllegalArgumentException(
          "the voters " + names + " must be different workers, among them " + name);
    }
    if (names.size() == 1) {
      return new LocalViews<>(initial, apply, lease(heartbeatTimeout));
    }
    RpcVoter host = new RpcVoter(rpc, lease(heartbeatTimeout));
    RaftViews<S, C> views = new RaftViews<>(names, name, initial, apply, heartbeatTimeout, host);
    RpcVoter.connect(rpc, views);
    views.onClose = () -> RpcVoter.disconnect(rpc, views);
    views.start();
    return views;
  }

  /// Returns the time between two heartbeats of the leader: 50 ms, or more if the world's heartbeat
  /// timeout is more than 30 s.
  public static Duration period(Duration heartbeatTimeout) {
    Duration derived = heartbeatTimeout.dividedBy(600);
    Duration shortest = Duration.ofMillis(50);
    return derived.compareTo(shortest) < 0 ? shortest : derived;
  }

  /// Returns the silence, in periods, after which a leader is considered dead: a thirtieth of the
  /// heartbeat timeout. A voter whose process has ended is noticed earlier, so only a frozen leader
  /// is replaced that late, and no leader is replaced because its host is busy.
  private static int leaderTimeout(Duration heartbeatTimeout) {
    long periods = heartbeatTimeout.dividedBy(30).dividedBy(period(heartbeatTimeout));
    return Math.max(MIN_LEADER_TIMEOUT, (int) periods);
  }

  /// Returns the time after which a voter that has lost the majority is no longer [live][#isLive].
  private static Duration lease(Duration heartbeatTimeout) {
    int periods = leaderTimeout(heartbeatTimeout) + ELECTION;
    return period(heartbeatTimeout).multipliedBy(periods);
  }

  /// Starts to say hello.
  void start() {
    if (names.size() == 2 && names.getFirst().equals(me.name())) {
      host.warn(
          "the voters "
              + String.join(" and ", names)
              + " are two, so neither can take over if the other dies; start a third, such as a"
              + " witness");
    }
    host.execute(this::tick);
  }

  @Override
  public S current() {
    return replica.state();
  }

  @Override
  public Future<S> propose(C change) {
    Promise<S> promise = Promise.promise();
    boolean isAccepted =
        executes(
            () -> {
              proposals.add(change, promise, host.nanoTime() + limitNanos);
              submit();
            });
    if (!isAccepted) {
      promise.fail(LEFT);
    }
    return promise.future();
  }

  @Override
  public void onChange(Consumer<S> listener) {
    listeners.add(listener);
  }

  @Override
  public boolean isLive() {
    return lease.isValid(host.nanoTime());
  }

  @Override
  public long remainingLease() {
    return lease.remaining(host.nanoTime());
  }

  @Override
  public boolean isLeader() {
    return isLeader;
  }

  /// Runs a task on the executor. Returns whether the process still runs tasks.
  private boolean executes(Runnable task) {
    try {
      host.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /// Notifies the voter that a worker was lost: its current life is over for good.
  void lost(String name) {
    boolean _ =
        executes(
            () -> {
              roster.lost(name);
              accuse();
            });
  }

  @Override
  public void close() {
    boolean _ =
        executes(
            () -> {
              if (!isClosed) {
                isClosed = true;
                onClose.run();
                sayHello(Intent.LEAVE);
                proposals.close(LEFT);
                if (raft != null) {
                  Object _ = raft.terminate();
                }
              }
            });
  }

  /// Handles a message.
  ///
  /// @param from the worker that has sent it
  void receive(String from, VoterMessage message) {
    if (from.equals(message.from().name()) && names.contains(from)) {
      boolean _ = executes(() -> receive(message));
    }
  }

  private void receive(VoterMessage message) {
    if (isClosed) {
      return;
    }
    switch (message) {
      case Hello hello -> heard(hello);
      case Envelope envelope -> heard(envelope);
    }
  }

  private void heard(Hello hello) {
    roster.saw(hello, host.nanoTime());
    if (group == null && hello.group() != null) {
      join(hello.group());
    }
    if (group != null && hello.intent() == Intent.JOIN) {
      host.send(hello.from().name(), new Hello(me, group, Intent.ANSWER));
    }
  }

  private void heard(Envelope envelope) {
    if (group == null || group.id() != envelope.group() || !me.equals(envelope.to())) {
      return;
    }
    Voter from = envelope.from();
    roster.saw(envelope, host.nanoTime());
    if (raft != null) {
      switch (envelope.content()) {
        case Batch batch -> replicate(batch);
        case Question question -> send(from, answer(question.number()));
        case Answer answer -> lease.answered(from, answer, members(), replica.index());
        case Content content -> {
          if (content instanceof VoteAnswer answer) {
            RaftInternals.learnTerm(raft, answer);
          }
          raft.handle(RaftMessages.toRaft(envelope.group(), from, content));
        }
      }
    }
  }

  private void send(RaftEndpoint to, Content content) {
    Voter voter = (Voter) to;
    if (group != null) {
      host.send(voter.name(), new Envelope(group.id(), me, voter, content));
    }
  }

  private void sayHello(Intent intent) {
    others().forEach(name -> host.send(name, new Hello(me, group, intent)));
  }

  private Stream<String> others() {
    return names.stream().filter(name -> !name.equals(me.name()));
  }

  private long periodsAgo(int periods) {
    return host.nanoTime() - periods * periodNanos;
  }

  /// Runs twice a period.
  private void tick() {
    if (isClosed) {
      return;
    }
    clock.tick();
    if (ticks % 2 == 0) {
      everyPeriod();
    }
    if (ticks % (2L * Math.max(1, (leaderTimeout + ELECTION) / RENEWALS)) == 0) {
      renew();
    }
    ticks++;
    host.after(periodNanos / 2, this::tick);
  }

  private void everyPeriod() {
    found();
    if (!isSettled()) {
      sayHello(Intent.JOIN);
    }
    if (raft != null) {
      RaftInternals.endPreVote(raft);
    }
    accuse();
    maintain();
    isLeader = ledTerm() > 0;
    leaderlessPeriods = leader() == null ? leaderlessPeriods + 1 : 0;
    proposals.expire(host.nanoTime(), this::lateReason);
    submit();
    warn();
  }

  // Founding a group, and joining one.

  /// Founds the group, and starts to vote in it, when the time has come.
  private void found() {
    if (group == null && names.getFirst().equals(me.name())) {
      List<Voter> members = new ArrayList<>(List.of(me));
      others().map(this::unbound).forEach(members::add);
      if (!members.contains(null)) {
        group = new Group(host.random().nextLong(), members);
      }
    } else if (group != null && raft == null && group.initial().stream().allMatch(this::belongs)) {
      startRaft(group);
    }
  }

  /// Returns the current life of a worker if it belongs to no group, otherwise null.
  private @Nullable Voter unbound(String name) {
    Sighting sighting = roster.get(name);
    return sighting != null
            && sighting.isUnbound()
            && sighting.joinsSince(periodsAgo(HELLO_TIMEOUT))
        ? sighting.voter()
        : null;
  }

  /// Returns whether a member belongs to the group or never will, since it is dead.
  private boolean belongs(Voter voter) {
    Sighting sighting = roster.get(voter.name());
    return voter.equals(me)
        || roster.isGone(voter)
        || (group != null && sighting != null && sighting.belongsTo(group));
  }

  private void join(Group first) {
    group = first;
    if (!first.initial().getFirst().equals(me)) {
      startRaft(first);
    }
  }

  private void startRaft(Group of) {
    raft =
        RaftNode.newBuilder()
            .setGroupId(of.id())
            .setLocalEndpoint(me)
            .setInitialGroupMembers(List.copyOf(of.initial()))
            .setConfig(config())
            .setExecutor(new Tasks())
            .setTransport(new Links())
            .setStateMachine(replica)
            .setRandom(Random.from(host.random()))
            .setClock(clock)
            .setRaftNodeReportListener(report -> host.execute(this::submit))
            .build();
    Object _ = raft.start();
  }

  private RaftConfig config() {
    return RaftConfig.newBuilder()
        .setLeaderHeartbeatPeriodSecs(1)
        .setLeaderHeartbeatTimeoutSecs(leaderTimeout)
        // Long enough for busy hosts; if voters had the same, they would split votes repeatedly.
        .setLeaderElectionTimeoutMillis(4000 + host.random().nextInt(4000))
        .setAppendEntriesRequestBatchSize(100)
        .setMaxPendingLogEntryCount(VoterMessage.MAX_ELEMENTS)
        .setCommitCountToTakeSnapshot(MAX_LOG_ENTRIES)
        .setRaftNodeReportPublishPeriodSecs((int) TimeUnit.DAYS.toSeconds(1))
        .build();
  }

  private @Nullable RaftEndpoint leader() {
    return raft == null ? null : raft.getTerm().getLeaderEndpoint();
  }

  /// Returns whether this voter takes part in decisions.
  boolean isSettled() {
    return raft != null
        && leader() != null
        && raft.getCommittedMembers().getVotingMembers().contains(me);
  }

  /// Returns this voter.
  Voter me() {
    return me;
  }

  /// Returns the members of the group, as far as known here.
  List<Voter> members() {
    return raft == null
        ? List.of()
        : raft.getCommittedMembers().getVotingMembers().stream().map(Voter.class::cast).toList();
  }

  /// Returns the term in which this voter leads, or 0 if it does not.
  int ledTerm() {
    RaftTerm term = raft == null ? null : raft.getTerm();
    return term != null && me.equals(term.getLeaderEndpoint()) ? term.getTerm() : 0;
  }

  // The leader, and its care for the group.

  /// If the leader is known to be dead, lets the clock of elections run out at once. The first of
  /// the living voters starts an election without waiting for the clock, and each of the others a
  /// period after the one before it, if nobody has: two at once would split the votes. So a voter
  /// that learns of the death late delays the election only briefly.
  private void accuse() {
    if (raft == null) {
      return;
    }
    int term = raft.getTerm().getTerm();
    if (term != accusedTerm && leader() instanceof Voter leader && roster.isGone(leader)) {
      accusedTerm = term;
      electionAt = host.nanoTime() + livingBefore() * periodNanos;
      clock.skip(leaderTimeout);
    }
    if (term == accusedTerm && host.nanoTime() - electionAt >= 0) {
      RaftInternals.elect(raft); // in the next term
    }
  }

  /// Returns the number of living members that come before this voter.
  private long livingBefore() {
    return members().stream()
        .filter(member -> !roster.isGone(member))
        .filter(member -> names.indexOf(member.name()) < names.indexOf(me.name()))
        .count();
  }

  /// Replaces one voter that has come back, or removes one that has left, if this voter leads.
  private void maintain() {
    if (raft == null || !me.equals(leader()) || raft.getStatus() != RaftNodeStatus.ACTIVE) {
      return;
    }
    RaftGroupMembers members = raft.getCommittedMembers();
    for (Sighting sighting : roster.sightings()) {
      Voter voter = sighting.voter();
      boolean isMember = members.getMembers().contains(voter);
      if (sighting.hasLeft() && isMember) {
        change(members, voter, MembershipChangeMode.REMOVE_MEMBER);
        return;
      }
      if (!isMember
          && sighting.joinsSince(periodsAgo(HELLO_TIMEOUT))
          && sighting.since() - periodsAgo(REPLACEMENT_DELAY) <= 0) {
        Optional<RaftEndpoint> predecessor =
            members.getMembers().stream()
                .filter(member -> ((Voter) member).name().equals(voter.name()))
                .findFirst();
        change(
            members,
            predecessor.orElse(voter),
            predecessor.isPresent()
                ? MembershipChangeMode.REMOVE_MEMBER
                : MembershipChangeMode.ADD_OR_PROMOTE_TO_FOLLOWER);
        return;
      }
    }
  }

  /// Requests a change of the group. If it fails, the next period tries again.
  private void change(RaftGroupMembers members, RaftEndpoint voter, MembershipChangeMode mode) {
    if (raft != null) {
      Object _ = raft.changeMembership(voter, mode, members.getLogIndex());
    }
  }

  // Proposals.

  /// Sends the current batch to the leader, unless it was sent to this leader within the last two
  /// periods.
  private void submit() {
    Batch batch = proposals.current();
    RaftEndpoint leader = leader();
    boolean isSent =
        Objects.equals(batch, sent)
            && Objects.equals(leader, sentTo)
            && sentAt - periodsAgo(RETRY) > 0;
    if (batch == null || leader == null || isSent) {
      return;
    }
    sent = batch;
    sentTo = leader;
    sentAt = host.nanoTime();
    if (leader.equals(me)) {
      replicate(batch);
    } else {
      send(leader, batch);
    }
  }

  private void replicate(Batch batch) {
    if (raft != null && !replica.isApplied(batch) && !replicating.contains(batch)) {
      replicating.add(batch);
      Object _ = raft.replicate(batch).whenComplete((done, error) -> replicating.remove(batch));
    }
  }

  private String lateReason() {
    return "no majority of the voters "
        + String.join(", ", names)
        + " has accepted the change within %.1f s; it may still be applied"
            .formatted(limitNanos / 1e9);
  }

  // The lease.

  private void renew() {
    if (raft != null) {
      long number = lease.ask(host.nanoTime());
      lease.answered(me, answer(number), members(), replica.index());
      members().stream()
          .filter(member -> !member.equals(me))
          .forEach(member -> send(member, new Question(number)));
    }
  }

  private Answer answer(long number) {
    boolean leads = ledTerm() > 0 && replica.isEstablished();
    int term = raft == null ? 0 : raft.getTerm().getTerm();
    return new Answer(number, term, leads ? replica.index() : Answer.NO_LEADER);
  }

  /// Says once when the majority is gone for good. A voter that was cut off may know dead members
  /// only, because the others have replaced them meanwhile, so it waits for the heartbeat timeout.
  private void warn() {
    List<Voter> gone = members().stream().filter(roster::isGone).toList();
    boolean isMinority = 2 * (members().size() - gone.size()) <= members().size();
    hopelessPeriods = !gone.isEmpty() && isMinority && !isLive() ? hopelessPeriods + 1 : 0;
    if (hopelessPeriods * periodNanos >= limitNanos && !isWarned) {
      isWarned = true;
      host.warn(
          gone.stream().map(Voter::name).collect(Collectors.joining(" and "))
              + " died, so that no majority of the voters "
              + String.join(", ", names)
              + " can decide anything any more; stop all of them, and resume from a checkpoint");
    }
  }

  /// Notifies the listeners of the state.
  private void tell() {
    S state = replica.state();
    if (!state.equals(told)) {
      told = state;
      listeners.forEach(listener -> listener.accept(state));
    }
  }

  private final class Applied implements AgreedState.Listener<S> {
    @Override
    public void applied(Batch batch, List<Future<S>> states) {
      tell();
      proposals.applied(batch, states);
      submit();
    }

    @Override
    public void applied(long index) {
      lease.applied(index);
    }
  }

  private final class Tasks implements RaftNodeExecutor {
    @Override
    public void execute(Runnable task) {
      host.execute(task);
    }

    @Override
    public void submit(Runnable task) {
      host.execute(task);
    }

    @Override
    public void schedule(Runnable task, long delay, TimeUnit unit) {
      long doublings = Math.min(leaderlessPeriods / ELECTION_PATIENCE, MAX_DOUBLINGS);
      host.after(clock.realNanos(delay, unit) << doublings, task);
    }
  }

  private final class Links implements Transport {
    @Override
    public void send(RaftEndpoint target, RaftMessage message) {
      RaftViews.this.send(target, RaftMessages.toContent(message));
    }

    @Override
    public boolean isReachable(RaftEndpoint endpoint) {
      return !roster.isGone((Voter) endpoint);
    }
  }
}
