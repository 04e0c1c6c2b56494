// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.profile;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Counts a worker's steps and asks rank 0 to profile ten of them, after ten warm-up steps. If
/// fewer than 20 steps are planned, the second half is profiled.
final class ProfiledSteps implements Progress {
  private static final System.Logger LOG = System.getLogger(ProfiledSteps.class.getName());
  private static final long WARM_UP = 10;
  private static final long STEPS = 10;

  private @Nullable Rpc rpc;
  private State state = State.WARMS_UP;
  private long planned;
  private long steps;
  private long last;

  private enum State {
    WARMS_UP,
    ASKS,
    PROFILES,
    IS_DONE
  }

  /// Sets the worker's [Rpc], once it can call others.
  synchronized void start(Rpc opened) {
    rpc = opened;
  }

  @Override
  public synchronized void start(long more) {
    planned += more;
  }

  @Override
  public void step(int samples, float loss) {
    Rpc calls;
    State now;
    synchronized (this) {
      steps++;
      calls = rpc;
      now = next();
    }
    if (calls != null && now == State.ASKS) {
      begin(calls);
    } else if (calls != null && now == State.IS_DONE) {
      end(calls);
    }
  }

  /// Moves to the state that follows this step; returns null if the state does not change.
  private @Nullable State next() {
    State before = state;
    if (state == State.WARMS_UP && steps >= Math.min(WARM_UP, planned / 2)) {
      state = State.ASKS;
    } else if (state == State.PROFILES && (steps >= last || steps >= planned)) {
      state = State.IS_DONE;
    }
    return state == before ? null : state;
  }

  /// Starts the profile. Blocks, so that the following steps are part of it.
  private void begin(Rpc calls) {
    Future<Boolean> begun = calls.rpcAsync(calls.worker(0), StepProfile::begin);
    boolean isOurs = false;
    try {
      isOurs = begun.await();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "no profile: " + e.getMessage());
    }
    synchronized (this) {
      state = isOurs ? State.PROFILES : State.IS_DONE;
      last = steps + STEPS;
    }
  }

  private static void end(Rpc calls) {
    try {
      calls.rpcAsync(calls.worker(0), StepProfile::end).await();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "no profile: " + e.getMessage());
    }
  }
}
