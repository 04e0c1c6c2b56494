// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.OnnxExport;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.safetensors.SafetensorsException;
import dev.tensorbus.verticles.UsageException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tensorbus export`: writes a program's model in ONNX format.
@Command(
    name = "export",
    description =
        "Writes a program's model as an ONNX file, for batches of any size, in evaluation mode.",
    mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "MODEL", description = "mnist, cartpole or rnn")
  private @Nullable String model;

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description = "safetensors file of the weights (default: random weights)")
  private @Nullable Path weights;

  @Option(names = "--out", paramLabel = "FILE", description = "file to write (default: MODEL.onnx)")
  private @Nullable Path out;

  @Option(
      names = "--external-data",
      description = "write the weights to a separate file, FILE.data")
  private boolean externalData;

  @Option(names = "--seed", paramLabel = "S", description = "seed of random weights (default: 1)")
  private long seed = 1;

  @Spec private @Nullable CommandSpec spec;

  ExportCommand() {}

  @Override
  public Integer call() {
    OnnxModels.Maker maker = model == null ? null : OnnxModels.ALL.get(model);
    if (maker == null) {
      throw new UsageException(
          "%s; expected one of: %s; for example tensorbus export mnist"
              .formatted(
                  model == null ? "missing MODEL" : "unknown MODEL " + model,
                  String.join(", ", OnnxModels.ALL.keySet())));
    }
    Path file = out == null ? Path.of(model + ".onnx") : out;
    try {
      save(maker.make(weights == null ? null : StateDict.read(weights), seed), file);
    } catch (SafetensorsException | IllegalArgumentException | OnnxException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
    String of = weights == null ? "random weights of seed " + seed : weights.toString();
    Objects.requireNonNull(spec).commandLine().getOut().println(file + ": " + model + ", " + of);
    return 0;
  }

  private void save(OnnxModels.Export made, Path file) {
    OnnxExport export = externalData ? made.export().withExternalData() : made.export();
    export.save(file, made.examples().toArray(Tensor[]::new));
  }
}
