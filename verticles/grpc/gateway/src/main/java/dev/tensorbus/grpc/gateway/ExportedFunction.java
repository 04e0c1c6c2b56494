// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.Remote;
import io.vertx.core.Future;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A function that clients outside the world may call.
///
/// @param function its name within the world
/// @param parameters the parameter types
record ExportedFunction(FunctionName function, List<Class<?>> parameters) {
  private static final Set<Class<?>> TAKEN =
      Set.of(
          Tensor.class,
          String.class,
          boolean.class,
          int.class,
          long.class,
          float.class,
          double.class,
          List.class,
          Map.class);

  /// @throws IllegalArgumentException if the method cannot be exported
  static ExportedFunction of(Method method) {
    FunctionName name = new FunctionName(method.getDeclaringClass().getName(), method.getName());
    if (!Modifier.isStatic(method.getModifiers()) || !method.isAnnotationPresent(Remote.class)) {
      throw new IllegalArgumentException(
          name + " is @Exported; expected a static method that is also @Remote");
    }
    List<Class<?>> parameters = List.of(method.getParameterTypes());
    Class<?> result = method.getReturnType();
    boolean isGiven = result == void.class || result == Future.class || TAKEN.contains(result);
    if (!isGiven || !TAKEN.containsAll(parameters)) {
      throw new IllegalArgumentException(
          name
              + " is @Exported; expected parameters and a result of the types Tensor, String,"
              + " boolean, int, long, float, double, List and Map");
    }
    return new ExportedFunction(name, parameters);
  }

  /// Converts arguments to the parameter types.
  ///
  /// @throws GrpcStatusException if their number or a type is wrong
  List<@Nullable Object> fit(List<@Nullable Object> given) {
    if (given.size() != parameters.size()) {
      throw misfit("got %d arguments".formatted(given.size()));
    }
    List<@Nullable Object> fitting = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      fitting.add(fit(i, given.get(i), parameters.get(i)));
    }
    return fitting;
  }

  private Object fit(int place, @Nullable Object given, Class<?> wanted) {
    Object fitting =
        switch (given) {
          case null -> null;
          case Long whole when wanted == int.class && whole == whole.intValue() -> whole.intValue();
          case Long whole when wanted == double.class -> whole.doubleValue();
          case Long whole when wanted == float.class -> whole.floatValue();
          case Double number when wanted == float.class -> number.floatValue();
          case Long whole when wanted == long.class -> whole;
          case Double number when wanted == double.class -> number;
          case Boolean truth when wanted == boolean.class -> truth;
          default -> wanted.isInstance(given) ? given : null;
        };
    if (fitting == null) {
      String type = given == null ? "nothing" : given.getClass().getSimpleName();
      throw misfit("argument %d is %s".formatted(place, type));
    }
    return fitting;
  }

  private GrpcStatusException misfit(String given) {
    String wanted = String.join(", ", parameters.stream().map(Class::getSimpleName).toList());
    return new GrpcStatusException(
        Reason.BAD_ARGUMENT, "%s takes (%s); %s".formatted(function, wanted, given));
  }
}
