# SPDX-License-Identifier: Apache-2.0
"""Writes cartpole.csv: trajectories of CartPole-v1, from the equations of motion alone (Python 3, no packages).

Cart and pole are two linear equations in the two accelerations, which are solved by Cramer's rule; the program that is tested
has them in closed form. Constants, limits and Euler's method are those that Gym's documentation of CartPole-v1 states.
"""
import math

G, CART, POLE, HALF, FORCE, DT = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02


def accelerations(angle, turn, force):
    # (M + m) x" + m l cos(a) a" = F + m l a'^2 sin(a)
    # cos(a) x" + 4/3 l a" = g sin(a)
    a11, a12 = CART + POLE, POLE * HALF * math.cos(angle)
    a21, a22 = math.cos(angle), 4.0 / 3.0 * HALF
    b1, b2 = force + POLE * HALF * turn**2 * math.sin(angle), G * math.sin(angle)
    determinant = a11 * a22 - a12 * a21
    return (b1 * a22 - a12 * b2) / determinant, (a11 * b2 - a21 * b1) / determinant


def steps(state, actions):
    """Yields action, the state after it and whether the episode is over."""
    for count, action in enumerate(actions, 1):
        x, v, angle, turn = state
        x2, angle2 = accelerations(angle, turn, FORCE if action else -FORCE)
        state = (x + DT * v, v + DT * x2, angle + DT * turn, turn + DT * angle2)
        done = abs(state[0]) > 2.4 or abs(state[2]) > 12 * 2 * math.pi / 360 or count >= 500
        yield action, state, done
        if done:
            return


def balancing(state):
    """Pushes to where the pole falls, and so lasts for 500 steps."""
    while True:
        action = int(state[2] + 0.3 * state[3] + 0.02 * state[0] + 0.05 * state[1] > 0)
        (_, state, _), = steps(state, [action])
        yield action


def always(action):
    while True:
        yield action


def alternating():
    while True:
        yield 1
        yield 1
        yield 0


EPISODES = [
    ((0.01, -0.02, 0.03, 0.04), always(1)),
    ((-0.05, 0.05, -0.05, 0.05), always(0)),
    ((0.0, 0.0, 0.0, 0.0), alternating()),
    ((0.02, -0.03, 0.04, -0.01), None),
    ((2.35, 1.5, -0.01, 0.0), None),
]

with open("cartpole.csv", "w") as out:
    for start, actions in EPISODES:
        out.write("start,%s,false\n" % ",".join(map(repr, start)))
        for action, state, done in steps(start, actions or balancing(start)):
            out.write("%d,%s,%s\n" % (action, ",".join(map(repr, state)), str(done).lower()))
