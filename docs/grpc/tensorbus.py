# SPDX-License-Identifier: Apache-2.0
"""A client of a Tensorbus worker's gRPC gateway.

Needs grpcio, protobuf and numpy; Debian's python3-grpcio and python3-numpy are enough. No code is
generated: the messages are built from the schema that the worker's reflection service returns.
"""
import queue

import grpc
import numpy
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory, text_format

JOINED, ENDED, LOST = 1, 2, 3  # what a trainer has done
PART_BYTES = 240 << 10
DTYPES = {1: "<f4", 2: "<f8", 3: "<i8", 4: "?"}
SERVICE = "tensorbus.v1.Tensorbus"
METHODS = {
    "Workers": "unary_unary",
    "Call": "stream_stream",
    "PullParameters": "unary_stream",
    "PushGradients": "stream_stream",
    "Predict": "stream_stream",
    "Watch": "unary_stream",
}

# The gRPC messages that are needed to request the schema and to read errors.
BOOTSTRAP = """
name: "bootstrap.proto" package: "bootstrap" dependency: "google/protobuf/any.proto"
message_type { name: "ReflectionRequest"
  field { name: "symbol" number: 4 type: TYPE_STRING label: LABEL_OPTIONAL } }
message_type { name: "Files"
  field { name: "file" number: 1 type: TYPE_BYTES label: LABEL_REPEATED } }
message_type { name: "ReflectionResponse"
  field { name: "files" number: 4 type: TYPE_MESSAGE type_name: ".bootstrap.Files" label: LABEL_OPTIONAL } }
message_type { name: "Status"
  field { name: "code" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
  field { name: "message" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "details" number: 3 type: TYPE_MESSAGE type_name: ".google.protobuf.Any" label: LABEL_REPEATED } }
message_type { name: "ErrorInfo"
  field { name: "reason" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
  field { name: "domain" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL } }
"""


class Messages:
    """Message classes by their full names."""

    def __init__(self):
        self.pool = descriptor_pool.DescriptorPool()
        self.pool.AddSerializedFile(any_pb2.DESCRIPTOR.serialized_pb)
        self.add(text_format.Parse(BOOTSTRAP, descriptor_pb2.FileDescriptorProto()).SerializeToString())

    def add(self, file):
        self.pool.AddSerializedFile(file)

    def __getitem__(self, name):
        descriptor = self.pool.FindMessageTypeByName(name)
        newer = getattr(message_factory, "GetMessageClass", None)  # protobuf 4.22
        return newer(descriptor) if newer else message_factory.MessageFactory(self.pool).GetPrototype(descriptor)


def reason(error):
    """Returns why a call failed, such as "NOT_EXPORTED". None if the gateway gave no reason."""
    bootstrap = Messages()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in bootstrap["bootstrap.Status"].FromString(value).details:
                if detail.type_url.endswith("/google.rpc.ErrorInfo"):
                    return bootstrap["bootstrap.ErrorInfo"].FromString(detail.value).reason
    return None


class Gateway:
    """A connection to a worker. Its methods raise grpc.RpcError; see reason()."""

    def __init__(self, target, token=None, certificate=None):
        """certificate: the trusted certificate as PEM bytes; None for plaintext."""
        if certificate:
            self.channel = grpc.secure_channel(target, grpc.ssl_channel_credentials(certificate))
        else:
            self.channel = grpc.insecure_channel(target)
        self.metadata = [("authorization", "Bearer " + token)] if token else []
        self.messages = self._ask_for_schema()
        self.types = lambda name: self.messages["tensorbus.v1." + name]
        self._stubs = {name: self._stub(name, kind) for name, kind in METHODS.items()}

    def _ask_for_schema(self):
        messages = Messages()
        reflect = self.channel.stream_stream(
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            request_serializer=lambda request: request.SerializeToString(),
            response_deserializer=messages["bootstrap.ReflectionResponse"].FromString,
        )
        request = messages["bootstrap.ReflectionRequest"](symbol=SERVICE)
        for response in reflect(iter([request]), metadata=self.metadata):
            for file in response.files.file:
                messages.add(file)
        return messages

    def _stub(self, name, kind):
        method = self.messages.pool.FindServiceByName(SERVICE).methods_by_name[name]
        stub = getattr(self.channel, kind)(
            f"/{SERVICE}/{name}",
            request_serializer=lambda request: request.SerializeToString(),
            response_deserializer=self.messages[method.output_type.full_name].FromString,
        )
        return lambda request, timeout=None: stub(request, timeout=timeout, metadata=self.metadata)

    def close(self):
        self.channel.close()

    def workers(self):
        """Returns the workers, the exported functions and the served model."""
        return self._stubs["Workers"](self.types("WorkersRequest")())

    def call(self, function, *arguments, worker="", timeout=None):
        """Calls an exported function. Arrays are sent as tensors."""
        arrays = []
        head = self.types("CallHead")(worker=worker, function=function)
        head.arguments.extend(self._value(argument, arrays) for argument in arguments)
        requests = (
            self.types("CallRequest")(head=head if i == 0 else None, parts=parts)
            for i, (parts, _) in enumerate(self._parts([("", array) for array in arrays]))
        )
        result, reader = None, TensorReader()
        for response in self._stubs["Call"](requests, timeout=timeout):
            if response.HasField("result"):
                result = response.result
            reader.add(response.parts)
        return python(result, [array for _, array in reader.tensors])

    def pull(self, names=(), newer_than=0):
        """Returns (version, {name: array}), without arrays if nothing has changed since newer_than."""
        request = self.types("PullParametersRequest")(names=names, newer_than=newer_than)
        version, reader = 0, TensorReader()
        for response in self._stubs["PullParameters"](request):
            version = response.version
            reader.add(response.parts)
        return version, dict(reader.tensors)

    def pushes(self, trainer="python"):
        """Opens a stream of pushes, which a trainer keeps open while it trains."""
        return Pushes(self, trainer)

    def optimizer(self, net, trainer="python"):
        """Returns an Optimizer for a torch module with the layers and names of the served model."""
        return Optimizer(self, net, trainer)

    def predict(self, examples):
        """Returns the model's output for each example, [n, ...]."""
        requests = (
            self.types("PredictRequest")(parts=parts, last=last)
            for parts, last in self._parts([("", numpy.asarray(examples, "<f4"))])
        )
        reader = TensorReader()
        for response in self._stubs["Predict"](requests):
            reader.add(response.parts)
        return reader.tensors[0][1]

    def watch(self):
        """Returns an iterator of events from now on, with cancel()."""
        events = self._stubs["Watch"](self.types("WatchRequest")())
        events.initial_metadata()  # nothing is missed from here on
        return events

    def _value(self, argument, arrays):
        value = self.types("Value")
        if argument is None:
            return value(nothing=True)
        if isinstance(argument, bool):
            return value(truth=argument)
        if isinstance(argument, int):
            return value(whole=argument)
        if isinstance(argument, float):
            return value(number=argument)
        if isinstance(argument, str):
            return value(text=argument)
        if isinstance(argument, (list, tuple)):
            return value(list=self.types("ListValue")(values=[self._value(a, arrays) for a in argument]))
        if isinstance(argument, dict):
            return value(map=self.types("MapValue")(values={k: self._value(a, arrays) for k, a in argument.items()}))
        arrays.append(numpy.asarray(argument))
        return value(tensor=len(arrays) - 1)

    def _parts(self, named):
        """Yields (parts, is_last) for each message, at least one."""
        parts, size = [], 0
        for name, array in named:
            dtype = next((number for number, kind in DTYPES.items() if array.dtype == numpy.dtype(kind)), 0)
            head = self.types("TensorHead")(name=name, dtype=dtype, shape=array.shape)
            data = numpy.ascontiguousarray(array).tobytes()
            start = 0
            while True:
                if size + 8 > PART_BYTES:
                    yield parts, False
                    parts, size = [], 0
                piece = data[start : start + (PART_BYTES - size) // 8 * 8]
                parts.append(self.types("TensorPart")(head=head if start == 0 else None, values=piece))
                start, size = start + len(piece), size + len(piece)
                if start >= len(data):
                    break
        yield parts, True


class Pushes:
    """One trainer's stream of pushes. Close it when the trainer has finished."""

    def __init__(self, gateway, trainer):
        self.gateway, self.trainer, self.refused = gateway, trainer, None
        self.requests = queue.SimpleQueue()
        self.responses = gateway._stubs["PushGradients"](iter(self.requests.get, None))

    def push(self, gradients, loss=0.0, examples=0):
        """Pushes {name: array} and waits until this trainer may continue. Returns the version to pull.

        A push that is refused raises grpc.RpcError and ends the stream: the worker has lost this
        trainer, and its run fails if it has no other. gateway.pushes() opens a new stream.
        """
        if self.refused:
            raise RuntimeError("this stream ended with a refused push; open another by gateway.pushes()") from self.refused
        head = self.gateway.types("PushHead")(trainer=self.trainer, loss=loss, examples=examples)
        for parts, last in self.gateway._parts(gradients.items()):
            self.requests.put(self.gateway.types("PushGradientsRequest")(head=head, parts=parts, last=last))
            head = None
        try:
            return next(self.responses).version
        except grpc.RpcError as error:
            self.refused = error
            raise

    def close(self):
        """Ends the stream and waits until the worker has confirmed it."""
        self.requests.put(None)
        if not self.refused:  # push() has already raised the error
            for _ in self.responses:
                pass

    def cancel(self):
        """Cancels the stream, as if this program had died."""
        self.responses.cancel()
        self.requests.put(None)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.cancel() if kind else self.close()


class Optimizer:
    """Trains the served model with a torch module, in place of an optimizer of torch.

    It loads the model's parameters and buffers into the module at first, and the parameters again
    after each step. Close it when the training has finished.
    """

    def __init__(self, gateway, net, trainer):
        self.gateway, self.net, self.version = gateway, net, 0
        self._load(())
        self.pushes = gateway.pushes(trainer)

    def _load(self, names):
        import torch  # the other classes need numpy only

        self.version, state = self.gateway.pull(names, self.version)
        if state:
            tensors = {name: torch.from_numpy(values.copy()) for name, values in state.items()}
            self.net.load_state_dict(tensors, strict=not names)

    def zero_grad(self):
        self.net.zero_grad()

    def step(self, loss=0.0, examples=0):
        """Pushes the module's gradients, waits until it may continue, and loads the model's parameters.

        A step with gradients of several trainers weights them by their numbers of examples.
        """
        parameters = dict(self.net.named_parameters())
        gradients = {name: one.grad.numpy() for name, one in parameters.items() if one.grad is not None}
        loss = loss.item() if hasattr(loss, "item") else loss  # float(loss) warns of its gradient
        self.pushes.push(gradients, loss, examples)
        self._load(parameters)

    def close(self):
        """Ends the training, and waits until the worker has confirmed it."""
        self.pushes.close()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.pushes.__exit__(*failure)


class TensorReader:
    """Assembles arrays from the parts of a stream."""

    def __init__(self):
        self.tensors, self.head, self.pieces, self.missing = [], None, [], 0

    def add(self, parts):
        for part in parts:
            if part.HasField("head"):
                self.head, self.pieces = part.head, []
                count = int(numpy.prod(part.head.shape, dtype=numpy.int64))
                self.missing = count * numpy.dtype(DTYPES[part.head.dtype]).itemsize
            self.pieces.append(part.values)
            self.missing -= len(part.values)
            if self.missing == 0:
                values = numpy.frombuffer(b"".join(self.pieces), DTYPES[self.head.dtype])
                self.tensors.append((self.head.name, values.reshape(tuple(self.head.shape))))


def python(value, arrays):
    """Converts a result to Python."""
    kind = value.WhichOneof("kind")
    if kind in (None, "nothing"):
        return None
    if kind == "tensor":
        return arrays[value.tensor]
    if kind == "list":
        return [python(element, arrays) for element in value.list.values]
    if kind == "map":
        return {key: python(element, arrays) for key, element in value.map.values.items()}
    return getattr(value, kind)
