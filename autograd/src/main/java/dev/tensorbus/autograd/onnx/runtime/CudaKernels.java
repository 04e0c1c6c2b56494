// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/// The operators that ONNX Runtime computes on GPUs. Nodes with another one run on the CPU, and
/// their inputs and results are copied.
///
/// From the table of CUDAExecutionProvider in docs/OperatorKernels.md of ONNX Runtime's repository,
/// commit 001d12d of 2026: the operators that we write for which there is a kernel for float32 and
/// float64. A kernel counts if its range of versions contains the operator's version in our
/// operator set; `13+` contains 13 only.
public final class CudaKernels {
  private static final Set<String> KERNELS =
      Set.of(
          """
          Abs Add And ArgMax AveragePool Cast Ceil Clip Compress Concat Conv ConvTranspose Cos CumSum
          Div Equal Erf Exp Expand Floor GRU Gather GatherElements Gemm Greater GreaterOrEqual Identity
          LSTM LeakyRelu Less LessOrEqual Log LogSoftmax MatMul Max MaxPool Min Mul Not Or Pad Pow RNN
          Reciprocal ReduceMax ReduceMean ReduceProd ReduceSum Relu Reshape Round ScatterElements Shape
          Sigmoid Sign Sin Slice Softmax Softplus Split Sqrt Sub Tanh TopK Transpose Trilu Unsqueeze
          Where
          """
              .strip()
              .split("\\s+"));

  /// Functions that ONNX defines by nodes of the operators above.
  private static final Set<String> FUNCTIONS =
      Set.of("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss");

  private CudaKernels() {}

  /// Returns the operators that run on the CPU, in alphabetical order.
  public static Set<String> missing(Collection<String> operators) {
    Set<String> missing = new TreeSet<>(operators);
    missing.removeAll(KERNELS);
    missing.removeAll(FUNCTIONS);
    return missing;
  }
}
