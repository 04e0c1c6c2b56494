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

/// The part of a worker that programs outside see: functions, and perhaps a model. Nothing else can
/// be reached.
public final class Exports {
  private final SortedMap<String, ExportedFunction> functions;
  private final @Nullable ModelServer model;

  private Exports(SortedMap<String, ExportedFunction> functions, @Nullable ModelServer model) {
    this.functions = functions;
    this.model = model;
  }

  /// The [Exported] methods of these classes.
  ///
  /// @throws IllegalArgumentException if one cannot be called from outside, or two have one name
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

  /// The same with a model.
  public Exports with(ModelServer served) {
    return new Exports(functions, served);
  }

  /// The names of the functions.
  Set<String> names() {
    return Collections.unmodifiableSet(functions.keySet());
  }

  /// The function of this name.
  ///
  /// @throws GrpcStatusException if it is not exported; a stranger is not told whether it exists
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

  /// The model, if there is one.
  @Nullable ModelServer model() {
    return model;
  }

  /// The model.
  ///
  /// @throws GrpcStatusException if there is none
  ModelServer requireModel() {
    if (model == null) {
      throw new GrpcStatusException(
          Reason.NO_MODEL, "this worker serves no model; ask the worker that owns it");
    }
    return model;
  }
}
