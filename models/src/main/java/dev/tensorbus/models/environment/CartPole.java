// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.environment;

import java.util.random.RandomGenerator;

/// The cart-pole environment: a pole on a cart that is pushed left or right. Equivalent to Gym's
/// `CartPole-v1`, which follows Barto, Sutton and Anderson, "Neuronlike Adaptive Elements That Can
/// Solve Difficult Learning Control Problems" (1983). Not thread-safe.
public final class CartPole {
  /// Number of actions: 0 pushes the cart to the left, 1 to the right.
  public static final int ACTIONS = 2;

  /// Number of values in a state: position and velocity of the cart, angle and angular velocity of
  /// the pole.
  public static final int STATE_SIZE = 4;

  /// Maximum number of steps in an episode.
  public static final int MAX_STEPS = 500;

  /// The task counts as solved if the average total reward of recent episodes is above this.
  public static final float REWARD_THRESHOLD = 475;

  private static final double GRAVITY = 9.8;
  private static final double POLE_MASS = 0.1;
  private static final double TOTAL_MASS = 1.0 + POLE_MASS;
  private static final double HALF_LENGTH = 0.5;
  private static final double POLE_MOMENT = POLE_MASS * HALF_LENGTH;
  private static final double FORCE = 10;
  private static final double SECONDS = 0.02;
  private static final double MAX_ANGLE = Math.toRadians(12);
  private static final double MAX_POSITION = 2.4;
  private static final double START = 0.05;

  private final RandomGenerator random;
  private double position;
  private double speed;
  private double angle;
  private double turn;
  private int steps;
  private boolean isDone = true;

  /// Creates an environment with random initial states.
  public CartPole(RandomGenerator random) {
    this.random = random;
  }

  /// The outcome of a step.
  ///
  /// @param state position and velocity of the cart, angle and angular velocity of the pole
  /// @param reward always 1, even for the last step
  /// @param done whether the episode is over
  public record Step(float[] state, float reward, boolean done) {}

  /// Starts an episode with the cart near the centre and the pole nearly upright. Returns the
  /// state.
  public float[] reset() {
    steps = 0;
    isDone = false;
    place(near(), near(), near(), near());
    return state();
  }

  private double near() {
    return random.nextDouble(-START, START);
  }

  /// Sets the state without starting an episode.
  void place(double newPosition, double newSpeed, double newAngle, double newTurn) {
    position = newPosition;
    speed = newSpeed;
    angle = newAngle;
    turn = newTurn;
  }

  /// Pushes the cart for 0.02 seconds.
  ///
  /// @throws IllegalArgumentException if the action is neither 0 nor 1
  /// @throws IllegalStateException if the episode is over or has not started
  public Step step(int action) {
    if (action < 0 || action >= ACTIONS) {
      throw new IllegalArgumentException("cart pole: action " + action + " must be 0 or 1");
    }
    if (isDone) {
      throw new IllegalStateException("cart pole: no episode is running; call reset first");
    }
    push(action == 1 ? FORCE : -FORCE);
    steps++;
    isDone = Math.abs(position) > MAX_POSITION || Math.abs(angle) > MAX_ANGLE || steps >= MAX_STEPS;
    return new Step(state(), 1, isDone);
  }

  /// Integrates with the explicit Euler method, like Gym: positions are updated with the velocities
  /// from before the step.
  private void push(double force) {
    double cosine = Math.cos(angle);
    double sine = Math.sin(angle);
    double pushed = (force + POLE_MOMENT * turn * turn * sine) / TOTAL_MASS;
    double inertia = HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * cosine * cosine / TOTAL_MASS);
    double turnChange = (GRAVITY * sine - cosine * pushed) / inertia;
    double speedChange = pushed - POLE_MOMENT * turnChange * cosine / TOTAL_MASS;
    position += SECONDS * speed;
    speed += SECONDS * speedChange;
    angle += SECONDS * turn;
    turn += SECONDS * turnChange;
  }

  private float[] state() {
    return new float[] {(float) position, (float) speed, (float) angle, (float) turn};
  }
}
