// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.documents;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.schedule.Scheduler;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistContext;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Looks up the classes and methods that a line of Java in a document names. The line need not
/// compile: arguments may be missing, and variables are known by their names.
final class JavaNames {
  private static final Map<String, Class<?>> VARIABLES =
      Map.ofEntries(
          Map.entry("x", Tensor.class),
          Map.entry("y", Tensor.class),
          Map.entry("a", Tensor.class),
          Map.entry("b", Tensor.class),
          Map.entry("mask", Tensor.class),
          Map.entry("net", Sequential.class),
          Map.entry("optimizer", Optimizer.class),
          Map.entry("scheduler", Scheduler.class),
          Map.entry("data", Dataset.class),
          Map.entry("loader", DataLoader.class),
          Map.entry("rpc", Rpc.class),
          Map.entry("rref", RRef.class),
          Map.entry("context", DistContext.class));

  /// Classes of the JDK and of the reader.
  private static final Set<String> OTHERS = Set.of("List", "Server");

  /// A first name, and the calls after it. Their arguments are replaced by `()` before.
  private static final Pattern CHAIN =
      Pattern.compile(
          "(?<![\\w.])(?:new )?(\\w+)(?:<>)?(?:\\(\\))?((?:(?:\\.|::)\\w+(?:\\(\\))?)*)");

  private static final Pattern ARGUMENTS = Pattern.compile("\\(([^()]+)\\)");
  private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");

  private final Map<String, String> types = new HashMap<>(Map.of("Random", Random.class.getName()));

  JavaNames() {
    try (Stream<Path> files = Files.walk(Pages.ROOT)) {
      files
          .filter(file -> file.toString().matches(".*/src/main/java/dev/.*[A-Z]\\w*\\.java"))
          .map(file -> file.toString().replaceFirst(".*/src/main/java/", ""))
          .map(file -> file.replaceFirst("\\.java$", "").replace('/', '.'))
          .forEach(type -> types.put(type.substring(type.lastIndexOf('.') + 1), type));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// Returns the names in a line of Java that do not exist.
  List<String> missing(String java) {
    List<String> missing = new ArrayList<>();
    String rest = TEXT.matcher(java).replaceAll("0");
    for (Matcher inner = ARGUMENTS.matcher(rest); inner.find(); inner = ARGUMENTS.matcher(rest)) {
      addMissing(inner.group(1), missing);
      rest = rest.substring(0, inner.start()) + "()" + rest.substring(inner.end());
    }
    addMissing(rest, missing);
    return missing;
  }

  private void addMissing(String flat, List<String> missing) {
    for (Matcher chain = CHAIN.matcher(flat); chain.find(); ) {
      String first = chain.group(1);
      if (OTHERS.contains(first) || !isName(first, chain.group(2))) {
        continue;
      }
      Set<Class<?>> owners = Set.of();
      try {
        owners = Set.of(typeOf(first));
      } catch (ClassNotFoundException e) {
        missing.add(first);
      }
      for (String call : chain.group(2).split("\\.|::", -1)) {
        String name = call.replace("()", "");
        if (!name.isEmpty() && !name.equals("new") && !owners.isEmpty()) {
          Set<Class<?>> results = results(owners, name);
          if (results.isEmpty()) {
            missing.add(first + chain.group(2) + " has no " + name);
          }
          owners = results;
        }
      }
    }
  }

  /// Returns whether a first name is a class or a variable on which a method is called, not an
  /// argument.
  private static boolean isName(String first, String calls) {
    return Character.isUpperCase(first.charAt(0))
        || (Character.isLetter(first.charAt(0)) && !calls.isEmpty());
  }

  private Class<?> typeOf(String name) throws ClassNotFoundException {
    Class<?> variable = VARIABLES.get(name);
    return variable != null ? variable : Class.forName(types.getOrDefault(name, name));
  }

  /// Returns the types of the fields and results that the classes have under a name.
  private static Set<Class<?>> results(Set<Class<?>> owners, String name) {
    return owners.stream()
        .flatMap(
            owner ->
                Stream.concat(
                    Arrays.stream(owner.getMethods())
                        .filter(method -> method.getName().equals(name))
                        .map(Method::getReturnType),
                    Arrays.stream(owner.getFields())
                        .filter(field -> field.getName().equals(name))
                        .map(Field::getType)))
        .collect(Collectors.toSet());
  }
}
