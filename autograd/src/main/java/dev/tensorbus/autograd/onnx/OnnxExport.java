// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.DynamicBatch;
import dev.tensorbus.autograd.onnx.graph.Graph;
import dev.tensorbus.autograd.onnx.graph.ModelFile;
import dev.tensorbus.autograd.onnx.graph.Translation;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Value;
import dev.tensorbus.nn.Layer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Exports a layer as an ONNX model. Like `torch.onnx.export`.
///
/// The forward function runs on example inputs while its operations are recorded. Control flow that
/// depends on values is fixed by this run. A layer in training mode is exported in training mode,
/// with its random numbers as additional inputs `drawn0`, `drawn1`, …; call [Layer#eval] first to
/// avoid this.
///
/// Inputs, outputs, weights and intermediate results share one name space. Weights have the same
/// names as in torch.
///
/// @param axis the batch axis, or -1 if the model has a fixed batch size
/// @param inputs names of the inputs; if empty, `input` or `input0`, `input1`, …, with a numeric
///     suffix if a weight already has that name
/// @param outputs names of the outputs; if empty, `output` or `output0`, `output1`, …, under the
///     same rule
/// @param beside whether the weights are written to a separate file
public record OnnxExport(
    Layer layer,
    Function<List<Tensor>, List<Tensor>> forward,
    int axis,
    List<String> inputs,
    List<String> outputs,
    boolean beside) {
  /// The value of `axis` if the model has exactly the shapes of the examples.
  private static final int FIXED = -1;

  /// Returns an export of `forward`, a function of one tensor that uses the parameters of `layer`:
  /// `OnnxExport.of(net, net::forward)`.
  public static OnnxExport of(Layer layer, UnaryOperator<Tensor> forward) {
    return ofAll(layer, inputs -> List.of(forward.apply(inputs.getFirst())));
  }

  /// Returns an export of a function of several tensors.
  public static OnnxExport ofAll(Layer layer, Function<List<Tensor>, List<Tensor>> forward) {
    return new OnnxExport(layer, forward, FIXED, List.of(), List.of(), false);
  }

  /// Returns a copy for batches of any size. All inputs must have the given batch axis.
  public OnnxExport withDynamicBatch(int axis) {
    return new OnnxExport(layer, forward, axis, inputs, outputs, beside);
  }

  /// Returns a copy with the given names for the inputs.
  ///
  /// [#save] throws an [OnnxException] if the number of names is wrong, or if a name is already
  /// taken by an output, a weight or another input.
  public OnnxExport withInputs(String... names) {
    return new OnnxExport(layer, forward, axis, List.of(names), outputs, beside);
  }

  /// Returns a copy with the given names for the outputs, under the same rules as [#withInputs].
  public OnnxExport withOutputs(String... names) {
    return new OnnxExport(layer, forward, axis, inputs, List.of(names), beside);
  }

  /// Returns a copy that writes the weights to a separate file: the model's name with `.data`
  /// appended.
  public OnnxExport withExternalData() {
    return new OnnxExport(layer, forward, axis, inputs, outputs, true);
  }

  /// Writes the model.
  ///
  /// @param examples inputs with the shapes of the model's inputs
  /// @throws OnnxException if an operation cannot be exported, a name is taken, or writing fails
  public void save(Path file, Tensor... examples) {
    Graph graph = graph(examples);
    try {
      if (beside) {
        ModelFile.writeWithData(file, graph);
      } else {
        ModelFile.write(file, graph);
      }
    } catch (IOException e) {
      throw new OnnxException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /// Returns the model as bytes.
  ///
  /// @throws OnnxException if an operation cannot be exported, or a name is taken
  public byte[] bytes(Tensor... examples) {
    return ModelFile.bytes(graph(examples));
  }

  private Graph graph(Tensor... examples) {
    if (axis == FIXED) {
      return graph(List.of(examples));
    }
    int size = examples[0].shape().size(axis);
    Graph twice = graph(repeated(2, examples));
    Graph thrice = graph(repeated(3, examples));
    return DynamicBatch.of(twice, 2 * size, thrice, 3 * size, axis);
  }

  private List<Tensor> repeated(int times, Tensor... examples) {
    return List.of(examples).stream()
        .map(example -> Tensor.concatenate(Collections.nCopies(times, example), axis))
        .toList();
  }

  private Graph graph(List<Tensor> examples) {
    try {
      // Gradients are recorded, so that a function without an ONNX operator is detected.
      Trace.Traced traced = NoGrad.suspend(() -> Trace.of(state(), examples, forward));
      return withWeights(Translation.of(traced, traced.outputs(), inputs, outputs));
    } catch (IllegalStateException e) {
      throw new OnnxException("cannot export: " + e.getMessage(), e);
    }
  }

  /// Returns whether this thread is recording a computation, for an export or for [Accelerated].
  /// Tensors that are created outside the computation become constants.
  public static boolean isRecording() {
    return Trace.isOn();
  }

  private Map<String, Tensor> state() {
    Map<String, Tensor> state = new LinkedHashMap<>(layer.namedParameters());
    state.putAll(layer.namedBuffers());
    return state;
  }

  private static Graph withWeights(Translation.Translated translated) {
    Map<String, Tensor> weights = new LinkedHashMap<>();
    for (Value feed : translated.feeds()) {
      if (feed.source() instanceof Value.Source.State(String name, Tensor tensor)) {
        weights.put(name, tensor.detach());
      }
    }
    return translated.graph().withValues(weights);
  }
}
