// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.memory;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.onnx.graph.Graph;
import dev.tensorbus.autograd.onnx.graph.ModelFile;
import dev.tensorbus.autograd.onnx.memory.OrtApi.Function;
import dev.tensorbus.autograd.onnx.runtime.OnnxRuntime;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A graph in ONNX Runtime that reads and writes [DeviceTensor]s. Runs must not overlap.
public final class NativeSession implements AutoCloseable {
  /// The system property for the start of the paths to which ONNX Runtime writes profiles, one for
  /// each session when it is closed.
  public static final String PROFILE = "tensorbus.onnx.profile";

  private final OrtApi api = OrtApi.get();
  private final Arena arena = Arena.ofShared();
  private final Map<String, MemorySegment> names = new HashMap<>();
  private final MemorySegment session;
  private final MemorySegment binding;

  public NativeSession(Graph graph, Provider provider) {
    try (Arena temporary = Arena.ofConfined()) {
      byte[] model = ModelFile.bytes(graph);
      MemorySegment bytes = temporary.allocateFrom(ValueLayout.JAVA_BYTE, model);
      MemorySegment options = api.create(Function.CREATE_SESSION_OPTIONS);
      try {
        set(options, provider, temporary);
        session =
            api.create(
                Function.CREATE_SESSION_FROM_ARRAY,
                api.environment(),
                bytes,
                (long) model.length,
                options);
      } finally {
        api.release(Function.RELEASE_SESSION_OPTIONS, options);
      }
    }
    try {
      binding = api.create(Function.CREATE_IO_BINDING, session);
    } catch (RuntimeException e) {
      api.release(Function.RELEASE_SESSION, session);
      throw e;
    }
    graph.names().forEach(name -> names.computeIfAbsent(name, arena::allocateFrom));
  }

  private void set(MemorySegment options, Provider provider, Arena temporary) {
    api.call(Function.SET_INTRA_OP_NUM_THREADS, options, Parallel.configured());
    OnnxRuntime.SETTINGS.forEach(
        (key, value) ->
            api.call(
                Function.ADD_SESSION_CONFIG_ENTRY,
                options,
                temporary.allocateFrom(key),
                temporary.allocateFrom(value)));
    String profile = System.getProperty(PROFILE);
    if (profile != null) {
      Charset charset =
          File.separatorChar == '\\' ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8;
      String path = profile + System.nanoTime();
      api.call(Function.ENABLE_PROFILING, options, temporary.allocateFrom(path, charset));
    }
    if (provider.isGpu()) {
      addCuda(options, provider, temporary);
    }
  }

  private void addCuda(MemorySegment options, Provider provider, Arena temporary) {
    Map<String, String> settings = provider.settings();
    MemorySegment cuda = api.create(Function.CREATE_CUDA_PROVIDER_OPTIONS);
    try {
      List<String> keys = List.copyOf(settings.keySet());
      MemorySegment from = temporary.allocate(ValueLayout.ADDRESS, keys.size());
      MemorySegment to = temporary.allocate(ValueLayout.ADDRESS, keys.size());
      for (int i = 0; i < keys.size(); i++) {
        from.setAtIndex(ValueLayout.ADDRESS, i, temporary.allocateFrom(keys.get(i)));
        String value = settings.getOrDefault(keys.get(i), "");
        to.setAtIndex(ValueLayout.ADDRESS, i, temporary.allocateFrom(value));
      }
      api.call(Function.UPDATE_CUDA_PROVIDER_OPTIONS, cuda, from, to, (long) keys.size());
      api.call(Function.APPEND_EXECUTION_PROVIDER_CUDA, options, cuda);
    } finally {
      api.release(Function.RELEASE_CUDA_PROVIDER_OPTIONS, cuda);
    }
  }

  /// Makes an input of the graph read from a tensor.
  public void bindInput(String name, MemorySegment value) {
    api.callOfThree(Function.BIND_INPUT, binding, name(name), value);
  }

  /// Makes an output of the graph write to a tensor.
  public void bindOutput(String name, MemorySegment value) {
    api.callOfThree(Function.BIND_OUTPUT, binding, name(name), value);
  }

  private MemorySegment name(String name) {
    MemorySegment known = names.get(name);
    if (known == null) {
      throw new IllegalArgumentException("the graph has no value " + name);
    }
    return known;
  }

  /// Runs the graph on the tensors that its inputs and outputs are bound to.
  public void run() {
    api.callOfThree(Function.RUN_WITH_BINDING, session, MemorySegment.NULL, binding);
  }

  /// Returns an allocator of memory on the device of this session, which must not be closed before
  /// the allocator is freed.
  MemorySegment allocator(MemorySegment memory) {
    return api.create(Function.CREATE_ALLOCATOR, session, memory);
  }

  @Override
  public void close() {
    api.release(Function.RELEASE_IO_BINDING, binding);
    api.release(Function.RELEASE_SESSION, session);
    arena.close();
  }
}
