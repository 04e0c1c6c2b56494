// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.onnx.runtime.CudaKernels;
import dev.tensorbus.autograd.trace.OnnxNode;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Step;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The table of operations in `docs/operations.md` is made of the code: from the cases that are
/// compared with torch, and from the ONNX nodes that a trace of each gives.
final class OperationTableTest {
  private static final String HEAD = "| operation | gradient | ONNX operators | CUDA |";

  private final Reference reference = new Reference("/torch/reference.txt");

  /// An operation's cases.
  private record Row(String name, List<OperationCase> cases) {}

  /// If it fails, put the lines that were expected into the page.
  @Test
  void thePageHasALineForEachOperation() throws IOException {
    List<String> expected = new ArrayList<>(List.of(HEAD, "| --- | --- | --- | --- |"));
    rows().stream().map(this::line).forEach(expected::add);
    List<String> page = Files.readAllLines(root().resolve("docs/operations.md"));
    List<String> table =
        page.stream()
            .skip(Math.max(0, page.indexOf(HEAD)))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertThat(String.join("\n", table)).isEqualTo(String.join("\n", expected));
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  private static List<Row> rows() {
    Map<String, List<OperationCase>> cases = new LinkedHashMap<>();
    for (OperationCase each : OperationCases.all()) {
      cases.computeIfAbsent(each.operation(), _ -> new ArrayList<>()).add(each);
    }
    cases.remove("net"); // a whole network
    return cases.entrySet().stream().map(row -> new Row(row.getKey(), row.getValue())).toList();
  }

  private String line(Row row) {
    boolean hasGradient = row.cases().stream().anyMatch(each -> reference.has(each.name() + ".dy"));
    OperationCase first = row.cases().getFirst();
    Set<String> operators = operators(first);
    Set<String> all = new LinkedHashSet<>(operators);
    String gradient = hasGradient ? "yes" : "none";
    try {
      all.addAll(first.operatorsOfStep(reference));
    } catch (IllegalStateException e) {
      gradient = hasGradient ? "Java only" : "none";
    }
    Set<String> missing = CudaKernels.missing(all);
    return "| `%s` | %s | %s | %s |"
        .formatted(
            row.name(),
            gradient,
            String.join(", ", operators),
            missing.isEmpty() ? "yes" : "no kernel for " + String.join(", ", missing));
  }

  private Set<String> operators(OperationCase each) {
    List<Tensor> inputs = new ArrayList<>(reference.numbered(each.name() + ".x"));
    int count = inputs.size();
    reference.numbered(each.name() + ".i").forEach(i -> inputs.add(i.to(DType.INT64)));
    Trace.Traced traced =
        Trace.of(
            Map.of(),
            inputs,
            in ->
                List.of(
                    each.function()
                        .apply(
                            new OperationCase.Inputs(
                                in.subList(0, count), in.subList(count, in.size())))));
    Set<String> operators = new LinkedHashSet<>();
    traced.steps().forEach(step -> addOperators(step, operators));
    return operators;
  }

  private static void addOperators(Step step, Set<String> operators) {
    List<Value> inputs = step.inputs();
    OnnxValue.Input[] values =
        IntStream.range(0, inputs.size())
            .mapToObj(i -> new OnnxValue.Input(i, inputs.get(i).type(), inputs.get(i).shape()))
            .toArray(OnnxValue.Input[]::new);
    step.operation().onnxResults(values).forEach(value -> addOperators(value, operators));
  }

  private static void addOperators(OnnxValue value, Set<String> operators) {
    if (value instanceof OnnxValue.Result(OnnxNode node, int _)) {
      node.inputs().forEach(input -> addOperators(input, operators));
      operators.add(node.operator().name());
    }
  }
}
