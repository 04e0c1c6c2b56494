// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.lang.System.Logger.Level;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Opens the worlds of tests with [WithWorkers].
@SuppressWarnings("exports") // who uses it has JUnit
public final class WorldExtension implements ParameterResolver, AfterEachCallback {
  private static final System.Logger LOGGER = System.getLogger(WorldExtension.class.getName());
  private static final Namespace NAMESPACE = Namespace.create(WorldExtension.class);

  /// JUnit creates the extension.
  public WorldExtension() {}

  /// The world of a test.
  private record Opened(long seed, MemoryWorld world) {
    private static Opened open(int size) {
      Long given = Long.getLong("seed");
      long seed = given == null ? ThreadLocalRandom.current().nextInt() : given;
      return new Opened(seed, new MemoryWorld(size, UnaryOperator.identity(), seed));
    }

    /// Logs what is needed to repeat a failed test.
    private void report(String test) {
      List<String> faults = world.network().history();
      if (!faults.isEmpty()) {
        LOGGER.log(
            Level.WARNING,
            "{0} failed after {1} faults of the network; repeat it with -Dseed={2}: {3}",
            test,
            faults.size(),
            Long.toString(seed),
            faults);
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == MemoryWorld.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "each test has its own MemoryWorld; use the parameter in a test, @BeforeEach or"
              + " @AfterEach method");
    }
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(MemoryWorld.class, key -> Opened.open(size(context)), Opened.class)
        .world();
  }

  private static int size(ExtensionContext context) {
    AnnotatedElement annotated = context.getRequiredTestMethod();
    Class<?> next = context.getRequiredTestClass();
    while (!annotated.isAnnotationPresent(WithWorkers.class)) {
      annotated = next;
      next = next.getEnclosingClass(); // of a @Nested class
    }
    return annotated.getAnnotation(WithWorkers.class).value();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    @Nullable Opened opened = context.getStore(NAMESPACE).remove(MemoryWorld.class, Opened.class);
    if (opened == null) {
      return;
    }
    try (MemoryWorld _ = opened.world()) {
      if (context.getExecutionException().isPresent()) {
        opened.report(context.getUniqueId());
      }
    }
  }
}
