// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.environment.CartPole;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Tells observers what to do, all that play at once: when each has sent its state, one forward
/// answers them. No thread waits for the others' states.
final class BatchAgent implements Player {
  private final Observers observers;
  private final Learner learner;
  private final RRef<BatchAgent> agent;

  /// Those whose episode goes on, and those of them who wait for an answer.
  private final Set<Integer> playing = new HashSet<>();

  private final SortedMap<Integer, Question> waiting = new TreeMap<>();

  BatchAgent(Rpc rpc, Observers observers, Learner learner) {
    this.observers = observers;
    this.learner = learner;
    this.agent = rpc.rref(this);
  }

  private record Question(float[] state, Promise<Integer> action) {}

  /// What an observer is to do in this state: known when all who play have asked.
  @Remote(brief = true)
  Future<Integer> selectAction(int observer, float[] state) {
    Question question = new Question(state, Promise.promise());
    Runnable answers;
    synchronized (this) {
      waiting.put(observer, question);
      answers = chooseIfAllHaveAsked();
    }
    answers.run();
    return question.action().future();
  }

  @Override
  public void runEpisode() {
    synchronized (this) {
      playing.addAll(observers.ids());
    }
    observers.play(this::runEpisode);
  }

  private Future<Void> runEpisode(int id, RRef<Observer> observer) {
    return observer
        .with(Observers.PATIENT)
        .rpcAsync(Observer::runEpisodeBatch, agent)
        .onComplete(ended -> stop(id))
        .onSuccess(rewards -> observers.episode(id).rewardAll(rewards))
        .mapEmpty();
  }

  /// Nobody waits for an observer whose episode is over, or who is lost.
  private void stop(int observer) {
    Runnable answers;
    synchronized (this) {
      playing.remove(observer);
      waiting.remove(observer);
      answers = chooseIfAllHaveAsked();
    }
    answers.run();
  }

  /// Gives what answers all who wait: to be run without the lock, which others may wait for.
  private Runnable chooseIfAllHaveAsked() {
    if (waiting.isEmpty() || !waiting.keySet().containsAll(playing)) {
      return () -> {};
    }
    SortedMap<Integer, Question> asked = new TreeMap<>(waiting);
    waiting.clear();
    RandomGenerator random = observers.episode(asked.firstKey()).random();
    Learner.Choice choice = learner.choose(states(asked), random);
    List<Runnable> answers = new ArrayList<>();
    asked.forEach(
        (id, question) -> {
          int row = answers.size();
          observers.episode(id).save(choice.logProbs().slice(0, row, row + 1));
          answers.add(() -> question.action().complete((int) choice.actions()[row]));
        });
    return () -> answers.forEach(Runnable::run);
  }

  private static Tensor states(Map<Integer, Question> asked) {
    float[] states = new float[asked.size() * CartPole.STATE_SIZE];
    int row = 0;
    for (Question question : asked.values()) {
      System.arraycopy(question.state(), 0, states, row * CartPole.STATE_SIZE, CartPole.STATE_SIZE);
      row++;
    }
    return Tensor.of(Shape.of(asked.size(), CartPole.STATE_SIZE), states);
  }

  @Override
  public float finishEpisode() {
    return learner.finishEpisode(observers.episodes());
  }

  @Override
  public void close() {
    agent.close();
  }
}
