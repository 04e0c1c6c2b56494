// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Remote;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What other workers may run here: methods and constructors marked [Remote], the operations of
/// [Tensor], and the public `forward` of a [Layer]. A class that a message names is not even
/// initialized before that is sure.
public final class Functions {
  private final Map<FunctionName, Function> known = new ConcurrentHashMap<>();
  private final ClassLoader loader;
  private final Set<Package> control;

  /// Finds functions when they are asked for.
  ///
  /// @param loader where classes are looked for
  /// @param control the packages of Tensorbus's own control messages
  public Functions(ClassLoader loader, Set<Package> control) {
    this.loader = loader;
    this.control = control;
  }

  /// A function that may be run.
  ///
  /// @param name its name
  /// @param handle takes all arguments in an array
  /// @param arity how many arguments it takes, the object included
  /// @param isAsync whether it returns a future of its result
  /// @param isBrief whether it says that it may run on an event loop ([Remote#brief])
  /// @param pace tells whether it may, if it does not say; null for what may wait
  /// @param isControl whether it is one of Tensorbus's own control messages
  public record Function(
      FunctionName name,
      MethodHandle handle,
      int arity,
      boolean isAsync,
      boolean isBrief,
      @Nullable Pace pace,
      boolean isControl) {
    /// Whether an event loop may run it.
    boolean runsAtOnce() {
      return isBrief || (pace != null && pace.isShort());
    }

    /// Checks how many arguments came.
    ///
    /// @throws IllegalArgumentException if these are too few or too many
    public void requireArity(@Nullable Object[] arguments) {
      if (arguments.length != arity) {
        throw new IllegalArgumentException(
            name + " takes " + arity + " arguments, " + arguments.length + " came");
      }
    }

    /// Runs it.
    public @Nullable Object invoke(@Nullable Object[] arguments) throws Throwable {
      if (pace == null) {
        return handle.invoke(arguments);
      }
      long start = System.nanoTime();
      Object result = handle.invoke(arguments);
      pace.tookSince(start);
      return result;
    }
  }

  /// Finds a function.
  ///
  /// @throws IllegalArgumentException if there is none of this name, or it may not be run
  public Function find(FunctionName name) {
    Function function = known.get(name);
    if (function == null) {
      function = resolve(name);
      known.put(name, function);
    }
    return function;
  }

  /// Whether a function is known to be brief: it says so, or it only computes, as operations do,
  /// and has been short of late. Before its first call none is.
  public boolean isBrief(FunctionName name) {
    Function function = known.get(name);
    return function != null && function.runsAtOnce();
  }

  private Function resolve(FunctionName name) {
    List<? extends Executable> candidates = candidates(type(name), name);
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException(
          name + " does not exist here; start all workers from one build");
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
          name + ": no class " + name.type() + " here; start all workers from one build", e);
    }
  }

  /// The method is looked for in the class and then above it, as a call would find it.
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
    return method.getDeclaringClass() == Tensor.class && method.getReturnType() == Tensor.class;
  }

  /// Layers do not travel, so this takes a reference, and who has one was given it to compute
  /// with.
  private static boolean isForward(Method method) {
    return method.getName().equals("forward")
        && Layer.class.isAssignableFrom(method.getDeclaringClass())
        && !Modifier.isStatic(method.getModifiers());
  }

  private Function function(FunctionName name, Executable executable) {
    boolean isObjectFirst =
        executable instanceof Method && !Modifier.isStatic(executable.getModifiers());
    int arity = executable.getParameterCount() + (isObjectFirst ? 1 : 0);
    boolean isAsync =
        executable instanceof Method method
            && Future.class.isAssignableFrom(method.getReturnType());
    MethodHandle spread = handle(name, executable).asFixedArity().asSpreader(Object[].class, arity);
    return new Function(
        name,
        spread.asType(spread.type().changeReturnType(Object.class)),
        arity,
        isAsync,
        isBrief(executable),
        onlyComputes(executable) ? new Pace() : null,
        control.contains(executable.getDeclaringClass().getPackage()));
  }

  private static boolean isBrief(Executable executable) {
    Remote remote = executable.getAnnotation(Remote.class);
    return remote != null && remote.brief();
  }

  private static boolean onlyComputes(Executable executable) {
    Remote remote = executable.getAnnotation(Remote.class);
    return remote == null
        ? executable instanceof Method method && isOperation(method)
        : remote.onlyComputes();
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
              + " cannot be reached: its module must open "
              + executable.getDeclaringClass().getPackageName()
              + " to dev.tensorbus.rpc",
          e);
    }
  }
}
