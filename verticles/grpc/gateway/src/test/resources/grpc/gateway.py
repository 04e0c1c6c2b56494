# SPDX-License-Identifier: Apache-2.0
"""What Python's grpcio may ask of the gateway of TestGateway: run by PythonGatewayTest."""
import sys
import threading

import grpc
import numpy

import tensorbus


def fails(code, why, action):
    """The action is refused with this status, for this reason."""
    try:
        action()
    except grpc.RpcError as error:
        assert error.code() == code, error
        assert tensorbus.reason(error) == why, (tensorbus.reason(error), error)
        return
    raise AssertionError(f"{why} was expected")


def calls(gateway):
    workers = gateway.workers()
    assert [worker.name for worker in workers.workers] == ["server", "helper"]
    assert "describe" in workers.functions and workers.model.trainers == 2
    nested = [1, "two", [None, 0.5]]
    told = gateway.call("describe", "text", 7, 0.5, True, nested, {"k": "v"}, worker="helper")
    assert told == {"worker": "helper", "text": "text", "whole": 7, "number": 0.5, "truth": True,
                    "list": nested, "map": {"k": "v"}}, told
    for array in (numpy.float32([[1, -2]]), numpy.float64([3]), numpy.int64(4), numpy.array([True, False]),
                  numpy.arange(3_000_001, dtype=numpy.float32), numpy.zeros((0, 5), numpy.float32)):
        back = gateway.call("same", array, worker="helper")
        assert back.dtype == array.dtype and back.shape == array.shape and (back == array).all()


def refusals(gateway):
    Code = grpc.StatusCode
    fails(Code.PERMISSION_DENIED, "NOT_EXPORTED", lambda: gateway.call("secret"))
    fails(Code.NOT_FOUND, "UNKNOWN_WORKER", lambda: gateway.call("later", "x", worker="nobody"))
    fails(Code.INVALID_ARGUMENT, "BAD_ARGUMENT", lambda: gateway.call("later", 1))
    fails(Code.UNKNOWN, "METHOD_FAILED", lambda: gateway.call("fail", "no luck"))
    fails(Code.NOT_FOUND, "UNKNOWN_PARAMETER", lambda: gateway.pull(["gain"]))
    fails(Code.INVALID_ARGUMENT, "BAD_EXAMPLES", lambda: gateway.predict(numpy.ones((1, 9))))
    fails(Code.INVALID_ARGUMENT, "BAD_TENSOR", lambda: gateway.call("same", numpy.int8([1])))
    fails(Code.RESOURCE_EXHAUSTED, "TENSORS_TOO_LARGE", lambda: gateway.call("same", numpy.zeros(2_200_000)))
    try:
        gateway.call("wait", timeout=0.3)
        raise AssertionError("nothing answers a wait")
    except grpc.RpcError as error:
        assert error.code() == Code.DEADLINE_EXCEEDED, error


def training(gateway):
    version, state = gateway.pull()
    assert list(state) == ["weight", "bias"]
    assert gateway.pull(newer_than=version) == (version, {})
    ones = numpy.ones((2, 3), numpy.float32)
    watch = gateway.watch()
    with gateway.pushes("a") as a, gateway.pushes("b") as b:
        other = threading.Thread(target=b.push, args=({"weight": 3 * ones},), kwargs={"loss": 0.25, "examples": 8})
        other.start()
        newer = a.push({"weight": ones}, 0.25, 8)
        other.join()
        assert newer > version
        assert (gateway.pull()[1]["weight"] == state["weight"] - numpy.float32(1)).all()
    with gateway.pushes() as refused:  # which raises once, and not again at its end
        fails(grpc.StatusCode.INVALID_ARGUMENT, "BAD_GRADIENT",
              lambda: refused.push({"weight": numpy.ones(2, numpy.float32)}))
        try:
            refused.push({"weight": ones})
            raise AssertionError("a stream that has ended takes no push")
        except RuntimeError as error:
            assert "open another by gateway.pushes()" in str(error), error
    events = [next(watch) for _ in range(4)]
    assert {event.trainer.trainer for event in events[:2]} == {"a", "b"}
    assert all(event.trainer.state == tensorbus.JOINED for event in events[:2])
    assert all(event.step.loss == 0.25 and event.step.examples == 8 for event in events[2:])
    watch.cancel()
    examples = numpy.float32([[1, 2, 3], [-1, 0, 1]])
    state = gateway.pull()[1]
    assert numpy.allclose(gateway.predict(examples), examples @ state["weight"].T + state["bias"], atol=1e-6)


def main():
    target = "localhost:" + sys.argv[1]
    certificate = open(sys.argv[2], "rb").read() if len(sys.argv) > 2 else None
    fails(grpc.StatusCode.UNAUTHENTICATED, "NO_TOKEN", lambda: tensorbus.Gateway(target, None, certificate))
    fails(grpc.StatusCode.UNAUTHENTICATED, "WRONG_TOKEN", lambda: tensorbus.Gateway(target, "guess", certificate))
    gateway = tensorbus.Gateway(target, "s3cret", certificate)
    health = gateway.channel.unary_unary("/grpc.health.v1.Health/Check")
    assert health(b"") == b"\x08\x01"  # serving
    calls(gateway)
    refusals(gateway)
    training(gateway)
    gateway.close()
    print("python drove the gateway")


main()
