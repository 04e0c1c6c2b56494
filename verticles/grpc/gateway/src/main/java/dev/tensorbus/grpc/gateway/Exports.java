// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.optim.server.ModelServer;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The functions, and optionally a model, that a worker exposes to clients outside the world.
/// Nothing else is reachable.
public final class Exports {
  private final SortedMap<String, ExportedFunction> functions;
  private final @Nullable ModelServer model;

  private Exports(SortedMap<String, ExportedFunction> functions, @Nullable ModelServer model) {
    this.functions = functions;
    this.model = model;
  }

  /// Returns exports that consist of the [Exported] methods of these classes.
  ///
  /// @throws IllegalArgumentException if a method cannot be exported, or two have the same exported
  ///     name
  public static Exports of(Class<?>... types) {
    SortedMap<String, ExportedFunction> functions = new TreeMap<>();
    for (Class<?> type : types) {
      for (Method method : type.getDeclaredMethods()) {
        Exported exported = method.getAnnotation(Exported.class);
        if (exported != null
            && functions.put(exported.value(), ExportedFunction.of(method)) != null) {
          throw new IllegalArgumentException(
              "two functions are exported as \"%s\"; give each its own name"
                  .formatted(exported.value()));
        }
      }
    }
    return new Exports(functions, null);
  }

  /// Returns a copy with a model.
  public Exports with(ModelServer served) {
    return new Exports(functions, served);
  }

  /// Returns the names of the functions.
  Set<String> names() {
    return Collections.unmodifiableSet(functions.keySet());
  }

  /// Returns the function with this name.
  ///
  /// @throws GrpcStatusException if no such function is exported; the error does not reveal whether
  ///     an unexported function has this name
  ExportedFunction require(String name) {
    ExportedFunction export = functions.get(name);
    if (export == null) {
      throw new GrpcStatusException(
          Reason.NOT_EXPORTED,
          "\"%s\" is not exported; exported functions: %s"
              .formatted(
                  name, functions.isEmpty() ? "none" : String.join(", ", functions.keySet())));
    }
    return export;
  }

  /// Returns the model, or null.
  @Nullable ModelServer model() {
    return model;
  }

  /// Returns the model.
  ///
  /// @throws GrpcStatusException if there is no model
  ModelServer requireModel() {
    if (model == null) {
      throw new GrpcStatusException(
          Reason.NO_MODEL, "this worker serves no model; ask the worker that owns it");
    }
    return model;
  }
}
