// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;

/// Loads the parameter servers, the consensus library and the simulation once more, with a
/// [PlantedFault].
final class FaultyClassLoader extends ClassLoader {
  private static final List<String> PACKAGES =
      List.of("dev.tensorbus.optim.server.", "io.microraft.");

  private final PlantedFault fault;

  FaultyClassLoader(PlantedFault fault) {
    super(FaultyClassLoader.class.getClassLoader());
    this.fault = fault;
  }

  /// Returns a function that runs a seed with the fault, and returns what did not hold.
  @SuppressWarnings("unchecked") // the class is the same, loaded once more
  LongFunction<Optional<String>> check() {
    try {
      var constructor = loadClass(StoreRun.Check.class.getName()).getDeclaredConstructor();
      constructor.setAccessible(true);
      return (LongFunction<Optional<String>>) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (PACKAGES.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(getParent().getResourceAsStream(file), file)) {
      byte[] bytes = fault.plant(name, in.readAllBytes());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
