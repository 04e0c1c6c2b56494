// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import io.vertx.core.Future;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The functions that other workers may run on this one: methods and constructors marked [Remote],
/// the operations of [Tensor], and the public `forward` methods of [Layer] classes. Looking up a
/// function does not initialize its class, because a message may name any class.
public final class Functions {
  private final Map<FunctionName, Function> known = new ConcurrentHashMap<>();
  private final ClassLoader loader;

  /// Returns the functions of the application whose class loader is this thread's context class
  /// loader.
  public static Functions ofApplication() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return new Functions(loader == null ? Functions.class.getClassLoader() : loader);
  }

  /// Creates an empty set, which looks up each function at its first use.
  ///
  /// @param loader loads the classes
  public Functions(ClassLoader loader) {
    this.loader = loader;
  }

  /// A function that other workers may run.
  ///
  /// @param name the function's name
  /// @param handle takes all arguments in an array
  /// @param parameters the function's parameters
  /// @param isAsync whether the function returns a future of its result
  /// @param policy decides which thread runs it
  public record Function(
      FunctionName name,
      MethodHandle handle,
      Parameters parameters,
      boolean isAsync,
      ExecutionPolicy policy) {
    /// Converts the arguments for [#invoke].
    ///
    /// @throws IllegalArgumentException if there are too few or too many arguments, or one has the
    ///     wrong type
    public @Nullable Object[] fit(@Nullable Object[] arguments) {
      return parameters.fit(arguments);
    }

    /// Runs the function.
    public @Nullable Object invoke(@Nullable Object[] arguments) throws Throwable {
      if (!policy.measures()) {
        return handle.invoke(arguments);
      }
      Stopwatch run = Stopwatch.start();
      Object result = handle.invoke(arguments);
      policy.ran(run);
      return result;
    }
  }

  /// Returns the function with this name.
  ///
  /// @throws IllegalArgumentException if no such function exists or it may not be run
  public Function find(FunctionName name) {
    Function function = known.get(name);
    if (function == null) {
      function = resolve(name);
      known.put(name, function);
    }
    return function;
  }

  /// Returns whether an event loop may run a function now. Returns false before the function's
  /// first call, since its class still has to be loaded.
  public boolean allowsEventLoop(FunctionName name) {
    Function function = known.get(name);
    return function != null && function.policy().allowsEventLoop();
  }

  /// Returns whether a function needs a platform thread; false if there is no such function.
  public boolean needsPlatformThread(FunctionName name) {
    try {
      return find(name).policy().needsPlatformThread();
    } catch (IllegalArgumentException e) { // running it reports the error
      return false;
    }
  }

  private Function resolve(FunctionName name) {
    List<? extends Executable> candidates = candidates(type(name), name);
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException(
          name + " does not exist here; start all workers from the same build");
    }
    List<? extends Executable> open = candidates.stream().filter(Functions::isOpen).toList();
    if (open.isEmpty()) {
      throw new IllegalArgumentException(
          name + " is not marked @Remote; add the annotation or call a method that has it");
    }
    if (open.size() > 1) {
      throw new IllegalArgumentException(
          name + " is overloaded; give each method that is called remotely its own name");
    }
    return function(name, open.getFirst());
  }

  private Class<?> type(FunctionName name) {
    try {
      return Class.forName(name.type(), false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          name
              + ": no class "
              + name.type()
              + " here; "
              + (name.type().contains(".")
                  ? "start all workers from the same build"
                  : "write its package too, as in dev.example.Server.update"),
          e);
    }
  }

  /// Looks for the method in the class and then in its supertypes, as a call would.
  private static List<? extends Executable> candidates(Class<?> type, FunctionName name) {
    if (name.method().equals(FunctionName.CONSTRUCTOR)) {
      return List.of(type.getDeclaredConstructors());
    }
    for (Class<?> from = type; from != null; from = from.getSuperclass()) {
      List<Method> methods = named(from, name.method());
      if (!methods.isEmpty()) {
        return methods;
      }
    }
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getName().equals(name.method()))
        .toList();
  }

  private static List<Method> named(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name) && !method.isBridge())
        .toList();
  }

  private static boolean isOpen(Executable executable) {
    return executable.isAnnotationPresent(Remote.class)
        || (executable instanceof Method method
            && Modifier.isPublic(method.getModifiers())
            && (isOperation(method) || isForward(method)));
  }

  private static boolean isOperation(Method method) {
    return method.getDeclaringClass() == Tensor.class
        && method.getReturnType() == Tensor.class
        && !comparesWithNumber(method);
  }

  /// Returns whether a method is a comparison such as `x.gt(0)`. A call does not say which of two
  /// methods it means, so `Tensor.gt` is the comparison of two tensors.
  private static boolean comparesWithNumber(Method method) {
    return Arrays.equals(method.getParameterTypes(), new Class<?>[] {double.class})
        && Arrays.stream(Tensor.class.getMethods())
            .anyMatch(other -> other.getName().equals(method.getName()) && !other.equals(method));
  }

  /// Returns whether a method is a layer's `forward`. It needs no annotation: the caller must have
  /// been given a reference to the layer, since layers cannot be sent.
  private static boolean isForward(Method method) {
    return method.getName().equals("forward")
        && Layer.class.isAssignableFrom(method.getDeclaringClass())
        && !Modifier.isStatic(method.getModifiers());
  }

  private Function function(FunctionName name, Executable executable) {
    boolean isAsync =
        executable instanceof Method method
            && Future.class.isAssignableFrom(method.getReturnType());
    MethodHandle handle = handle(name, executable).asFixedArity();
    List<Class<?>> types = handle.type().parameterList();
    MethodHandle spread = handle.asSpreader(Object[].class, types.size());
    return new Function(
        name,
        spread.asType(spread.type().changeReturnType(Object.class)),
        new Parameters(name, types, executable.isVarArgs()),
        isAsync,
        ExecutionPolicy.of(execution(executable)));
  }

  private static Execution execution(Executable executable) {
    Remote remote = executable.getAnnotation(Remote.class);
    if (remote != null) {
      return remote.execution();
    }
    return executable instanceof Method method && isOperation(method)
        ? Execution.ADAPTIVE
        : Execution.VIRTUAL_THREAD;
  }

  private static MethodHandle handle(FunctionName name, Executable executable) {
    try {
      ((AccessibleObject) executable).setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      return executable instanceof Method method
          ? lookup.unreflect(method)
          : lookup.unreflectConstructor((Constructor<?>) executable);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          name
              + " is not accessible: its module must open "
              + executable.getDeclaringClass().getPackageName()
              + " to dev.tensorbus.rpc",
          e);
    }
  }
}
