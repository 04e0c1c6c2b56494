// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.onnx.graph.Graph;
import dev.tensorbus.autograd.onnx.graph.GraphBuilder;
import dev.tensorbus.autograd.onnx.graph.GraphValue;
import dev.tensorbus.autograd.onnx.graph.ModelFile;
import dev.tensorbus.autograd.onnx.graph.OnnxEmitter;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Wraps the API of ONNX Runtime. Call [#probe] first: this class cannot be loaded if ONNX Runtime
/// is missing.
public final class OnnxRuntime {
  private static final System.Logger LOG = System.getLogger(OnnxRuntime.class.getName());

  /// Matches the prefix of ONNX Runtime's messages: an error code and often a source location.
  private static final Pattern ORIGIN =
      Pattern.compile(
          "(?s)^Error code - \\w+ - message: (?:.*\\[ONNXRuntimeError] : \\d+ : \\w+ : )?");

  /// Matches the message about a GPU index that is too large; the group is the number of GPUs.
  private static final Pattern GPUS =
      Pattern.compile("Invalid device ID: .* and (\\d+) \\(exclusive\\)");

  /// The settings of all sessions. A thread that spins while it waits for work occupies a core that
  /// our kernels need.
  public static final Map<String, String> SETTINGS = Map.of("session.intra_op.allow_spinning", "0");

  /// The providers with which [#probe] has succeeded.
  private static final Set<Provider> PROBED = ConcurrentHashMap.newKeySet();

  private OnnxRuntime() {}

  /// Returns ONNX Runtime's environment, after loading its library.
  public static OrtEnvironment environment() {
    return Opened.ENVIRONMENT;
  }

  /// Creates ONNX Runtime's environment on first use. No other code may create it.
  private static final class Opened {
    static final OrtEnvironment ENVIRONMENT = open();

    private static OrtEnvironment open() {
      if (Telemetry.isDecided()) {
        return NativeFiles.during(Opened::environment);
      }
      Telemetry.disable();
      OrtEnvironment environment = NativeFiles.during(Opened::environment);
      try {
        environment.setTelemetry(false);
      } catch (OrtException e) {
        throw new OnnxException("cannot disable ONNX Runtime's telemetry: " + e.getMessage(), e);
      }
      return environment;
    }

    private static OrtEnvironment environment() {
      return OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR);
    }
  }

  /// Loads a model on a device.
  static OrtSession session(Graph graph, Provider provider) {
    OrtEnvironment environment = environment();
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(Parallel.configured());
      for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
        options.addConfigEntry(setting.getKey(), setting.getValue());
      }
      if (provider.isGpu()) {
        addCuda(options, provider);
      }
      return environment.createSession(ModelFile.bytes(graph), options);
    } catch (OrtException e) {
      throw new OnnxException(
          "ONNX Runtime refuses the model on " + provider + ": " + reason(e), e);
    }
  }

  private static void addCuda(OrtSession.SessionOptions options, Provider provider)
      throws OrtException {
    try (OrtCUDAProviderOptions cuda = new OrtCUDAProviderOptions(provider.gpu())) {
      for (Map.Entry<String, String> setting : provider.settings().entrySet()) {
        cuda.add(setting.getKey(), setting.getValue());
      }
      options.addCUDA(cuda);
    }
  }

  /// Returns the error message without ONNX Runtime's error code and source location.
  public static String reason(OrtException error) {
    return ORIGIN.matcher(String.valueOf(error.getMessage())).replaceFirst("").strip();
  }

  /// Runs a small model on a provider, unless that has already succeeded in this process.
  public static void probe(Provider provider) {
    if (PROBED.contains(provider)) {
      return;
    }
    try (Session session = new Session(smallGraph(), provider)) {
      session.run(List.of(Tensor.zeros(1, 1, 1, 1)));
    } catch (OnnxException e) {
      if (provider.isGpu() && e.getCause() instanceof OrtException cause) {
        throw new OnnxException(missing(provider, reason(cause)), cause);
      }
      throw e;
    }
    PROBED.add(provider);
    LOG.log(
        System.Logger.Level.INFO,
        "ONNX Runtime {0} computes on {1}",
        Objects.requireNonNull(environment().getVersion()),
        provider);
  }

  private static String missing(Provider provider, String reason) {
    Matcher gpus = GPUS.matcher(reason);
    return gpus.find()
        ? "%s: no such GPU; ONNX Runtime finds %s, numbered from cuda:0"
            .formatted(provider, gpus.group(1))
        : ("%s: ONNX Runtime cannot use it: %s; it needs an NVIDIA GPU with its driver, CUDA 12.8"
                + " or a later 12.x and cuDNN 9 on the library path, and ONNX Runtime's GPU build:"
                + " build with -Pgpu, or set -Donnxruntime.native.path to the folder of its"
                + " libraries")
            .formatted(provider, reason);
  }

  /// Returns a graph with a convolution: ONNX Runtime loads cuDNN only for models that contain one.
  private static Graph smallGraph() {
    GraphBuilder builder = new GraphBuilder();
    Shape shape = Shape.of(1, 1, 1, 1);
    GraphValue input = GraphValue.of("x", DType.FLOAT32, shape);
    builder.input(input);
    OnnxValue x = new OnnxValue.Input(0, input.type(), shape);
    OnnxValue filter = new OnnxValue.Constant(Tensor.ones(1, 1, 1, 1));
    OnnxEmitter emitter = new OnnxEmitter(builder, "probe", List.of(input.name()));
    String result = emitter.emit(operator("Conv").of(x, filter));
    builder.output(GraphValue.of(result, DType.FLOAT32, shape));
    return builder.build();
  }
}
