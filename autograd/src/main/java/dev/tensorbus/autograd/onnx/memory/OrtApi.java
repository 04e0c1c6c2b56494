// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.memory;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.onnx.runtime.OnnxRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// ONNX Runtime's C interface, as far as its Java interface lacks it: tensors that stay in the
/// memory of a device, and runs that read and write them.
///
/// Functions are pointers in a struct, whose order never changes.
public final class OrtApi {
  /// The version of the interface with the last function that is used here.
  private static final int VERSION = 11;

  private static final int FUNCTIONS = 210;

  /// Of enum `OrtAllocatorType`.
  private static final int ARENA_ALLOCATOR = 1;

  private static final Linker LINKER = Linker.nativeLinker();

  /// Calls a function of three pointers.
  private static final MethodHandle OF_THREE = handle(ADDRESS, ADDRESS, ADDRESS);

  /// Calls a function of one pointer that returns nothing.
  private static final MethodHandle RELEASE = releaseHandle();

  private static final Map<List<MemoryLayout>, MethodHandle> HANDLES = new ConcurrentHashMap<>();

  private static final AtomicLong LIVE = new AtomicLong();

  /// The functions, with their places in the struct.
  enum Function {
    GET_ERROR_MESSAGE(2),
    CREATE_ENV(3),
    CREATE_SESSION_FROM_ARRAY(8),
    CREATE_SESSION_OPTIONS(10),
    ENABLE_PROFILING(14),
    SET_INTRA_OP_NUM_THREADS(24),
    CREATE_TENSOR_AS_ORT_VALUE(48),
    CREATE_TENSOR_WITH_DATA_AS_ORT_VALUE(49),
    CREATE_MEMORY_INFO(68),
    RELEASE_STATUS(93),
    RELEASE_MEMORY_INFO(94),
    RELEASE_SESSION(95),
    RELEASE_VALUE(96),
    RELEASE_SESSION_OPTIONS(100),
    ADD_SESSION_CONFIG_ENTRY(130),
    CREATE_ALLOCATOR(131),
    RELEASE_ALLOCATOR(132),
    RUN_WITH_BINDING(133),
    CREATE_IO_BINDING(134),
    RELEASE_IO_BINDING(135),
    BIND_INPUT(136),
    BIND_OUTPUT(137),
    APPEND_EXECUTION_PROVIDER_CUDA(204),
    CREATE_CUDA_PROVIDER_OPTIONS(205),
    UPDATE_CUDA_PROVIDER_OPTIONS(206),
    RELEASE_CUDA_PROVIDER_OPTIONS(208);

    private final int place;

    Function(int place) {
      this.place = place;
    }
  }

  private static final class Opened {
    static final OrtApi API = new OrtApi();
  }

  private final MemorySegment functions;
  private final MemorySegment environment;
  private final MemorySegment hostMemory;

  @SuppressWarnings("restricted")
  private OrtApi() {
    OnnxRuntime.environment(); // loads the library
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment base =
          (MemorySegment)
              LINKER
                  .downcallHandle(
                      SymbolLookup.loaderLookup().findOrThrow("OrtGetApiBase"),
                      FunctionDescriptor.of(ADDRESS))
                  .invokeExact();
      MethodHandle getApi =
          LINKER.downcallHandle(
              base.reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0),
              FunctionDescriptor.of(ADDRESS, JAVA_INT));
      MemorySegment struct = (MemorySegment) getApi.invokeExact(VERSION);
      functions = struct.reinterpret(FUNCTIONS * ADDRESS.byteSize());
      // Another reference to the environment that the Java interface has created.
      environment = create(Function.CREATE_ENV, 3, arena.allocateFrom("tensorbus"));
      hostMemory = memory("Cpu", 0);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /// Returns the interface, after loading ONNX Runtime's library.
  ///
  /// @throws OnnxException if the library cannot be used
  static OrtApi get() {
    try {
      return Opened.API;
    } catch (LinkageError e) {
      throw failed(e.getCause() == null ? e : e.getCause());
    }
  }

  private static OnnxException failed(Throwable e) {
    return e instanceof OnnxException own
        ? own
        : new OnnxException("cannot call ONNX Runtime: " + e, e);
  }

  /// Returns the number of objects, such as sessions and tensors, that were created and not freed.
  public static long liveObjects() {
    return LIVE.get();
  }

  /// Returns ONNX Runtime's environment.
  MemorySegment environment() {
    return environment;
  }

  /// Returns the description of Java's memory.
  MemorySegment hostMemory() {
    return hostMemory;
  }

  /// Creates the description of a device's memory.
  MemorySegment memory(String name, int number) {
    try (Arena arena = Arena.ofConfined()) {
      return create(
          Function.CREATE_MEMORY_INFO, arena.allocateFrom(name), ARENA_ALLOCATOR, number, 0);
    }
  }

  private MemorySegment address(Function function) {
    return functions.getAtIndex(ADDRESS, function.place);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(MemoryLayout... arguments) {
    return LINKER.downcallHandle(FunctionDescriptor.of(ADDRESS, arguments));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle releaseHandle() {
    return LINKER.downcallHandle(FunctionDescriptor.ofVoid(ADDRESS));
  }

  /// Calls a function that returns a status. Arguments are segments, integers and longs.
  ///
  /// @throws OnnxException if the call fails
  void call(Function function, Object... arguments) {
    MemoryLayout[] types =
        Arrays.stream(arguments)
            .map(
                argument ->
                    argument instanceof MemorySegment
                        ? ADDRESS
                        : argument instanceof Integer ? JAVA_INT : JAVA_LONG)
            .toArray(MemoryLayout[]::new);
    List<Object> all = new ArrayList<>(List.of(address(function)));
    all.addAll(Arrays.asList(arguments));
    try {
      MethodHandle handle = HANDLES.computeIfAbsent(List.of(types), _ -> handle(types));
      check((MemorySegment) handle.invokeWithArguments(all));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /// Does the same for three pointers, but faster.
  void callOfThree(Function function, MemorySegment a, MemorySegment b, MemorySegment c) {
    try {
      check((MemorySegment) OF_THREE.invokeExact(address(function), a, b, c));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /// Calls a function whose last argument receives the object that it creates, and returns that.
  MemorySegment create(Function function, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment created = arena.allocate(ADDRESS);
      Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = created;
      call(function, all);
      LIVE.incrementAndGet();
      return created.get(ADDRESS, 0);
    }
  }

  /// Frees an object that [#create] returned.
  void release(Function function, MemorySegment object) {
    LIVE.decrementAndGet();
    free(function, object);
  }

  private void free(Function function, MemorySegment object) {
    try {
      RELEASE.invokeExact(address(function), object);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  @SuppressWarnings("restricted")
  private void check(MemorySegment status) throws Throwable {
    if (status.equals(NULL)) {
      return;
    }
    MethodHandle message =
        LINKER.downcallHandle(
            address(Function.GET_ERROR_MESSAGE), FunctionDescriptor.of(ADDRESS, ADDRESS));
    MemorySegment text = (MemorySegment) message.invokeExact(status);
    String reason = text.reinterpret(Long.MAX_VALUE).getString(0);
    free(Function.RELEASE_STATUS, status);
    throw new OnnxException("ONNX Runtime failed: " + reason.strip().replaceAll("\\s+", " "));
  }
}
