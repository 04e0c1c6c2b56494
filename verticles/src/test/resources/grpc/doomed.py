# SPDX-License-Identifier: Apache-2.0
"""A trainer that pushes once, calls what never ends, and waits to be killed: run by DoorTrainingTest."""
import sys
import threading

import numpy

import tensorbus

door = tensorbus.Door("localhost:" + sys.argv[1])
door.pushes("doomed").push({"weight": numpy.ones((2, 3), numpy.float32)})
for worker in "server", "helper":
    threading.Thread(target=door.call, args=("wait",), kwargs={"worker": worker}).start()
print("pushed", flush=True)
