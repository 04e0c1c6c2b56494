// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Graph;
import dev.tensorbus.autograd.onnx.graph.GraphValue;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Off-heap memory for the inputs and outputs of a session, which ONNX Runtime reads and writes
/// directly. Must not be shared by concurrent runs.
final class Buffers implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final List<NativeTensor> inputs = new ArrayList<>();
  private final List<NativeTensor> outputs = new ArrayList<>();
  private final Map<String, OnnxTensor> given = new LinkedHashMap<>();
  private final Map<String, OnnxTensor> wanted = new LinkedHashMap<>();

  Buffers(Graph graph) throws OrtException {
    for (GraphValue value : graph.inputs()) {
      inputs.add(new NativeTensor(value, arena));
      given.put(value.name(), inputs.getLast().tensor());
    }
    for (GraphValue value : graph.outputs()) {
      outputs.add(new NativeTensor(value, arena));
      wanted.put(value.name(), outputs.getLast().tensor());
    }
  }

  List<Tensor> run(OrtSession session, List<Tensor> values) throws OrtException {
    for (int i = 0; i < inputs.size(); i++) {
      inputs.get(i).put(values.get(i).heap());
    }
    session.run(given, wanted).close();
    return outputs.stream().map(NativeTensor::get).toList();
  }

  @Override
  public void close() {
    inputs.forEach(NativeTensor::close);
    outputs.forEach(NativeTensor::close);
    arena.close();
  }
}
