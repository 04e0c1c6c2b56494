# SPDX-License-Identifier: Apache-2.0
"""A trainer that pushes once, calls what never ends, and waits to be killed: run by GatewayTrainingTest."""
import sys
import threading

import numpy

import tensorbus

gateway = tensorbus.Gateway("localhost:" + sys.argv[1])
gateway.pushes("doomed").push({"weight": numpy.ones((2, 3), numpy.float32)})
for worker in "server", "helper":
    threading.Thread(target=gateway.call, args=("wait",), kwargs={"worker": worker}).start()
print("pushed", flush=True)
