# SPDX-License-Identifier: Apache-2.0
"""A trainer that pushes once and then waits to be killed: run by DoorTrainingTest."""
import sys
import threading

import numpy

import tensorbus

door = tensorbus.Door("localhost:" + sys.argv[1])
door.pushes("doomed").push({"weight": numpy.ones((2, 3), numpy.float32)})
print("pushed", flush=True)
threading.Event().wait()
