// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/// Tensors, operations with their derivatives, kernels and layers. The module does not use Vert.x
/// or any other module of Tensorbus.
@NullMarked
@SuppressWarnings("requires-automatic")
module dev.tensorbus.autograd {
  requires com.fasterxml.jackson.core;
  requires static com.microsoft.onnxruntime;
  requires jdk.incubator.vector;
  requires transitive jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.tensorbus.autograd;
  exports dev.tensorbus.autograd.file;
  exports dev.tensorbus.autograd.graph;
  exports dev.tensorbus.autograd.onnx;
  exports dev.tensorbus.autograd.profiler;
  exports dev.tensorbus.distributions;
  exports dev.tensorbus.nn.activation;
  exports dev.tensorbus.nn.convolution;
  exports dev.tensorbus.nn.dropout;
  exports dev.tensorbus.nn.functional;
  exports dev.tensorbus.nn.loss;
  exports dev.tensorbus.nn.loss.similarity;
  exports dev.tensorbus.nn.normalization;
  exports dev.tensorbus.nn.pooling;
  exports dev.tensorbus.nn.recurrent;
  exports dev.tensorbus.nn.safetensors;
  exports dev.tensorbus.nn.transformer;
  exports dev.tensorbus.nn;
}
