// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The name of a function, which is the same on every worker and in every language.
///
/// @param type the class that declares the function
/// @param method the method name; `<init>` for a constructor
public record FunctionName(String type, String method) {
  /// The method name of a constructor.
  public static final String CONSTRUCTOR = "<init>";

  /// Advice for error messages, valid for every language and compiler.
  static final String BY_NAME =
      "mark a method @Remote and call it by its name, as in"
          + " rpc.rpcSync(\"ps\", \"dev.example.Server.update\", x)";

  /// The function names of method references, by class. Each non-capturing reference in the code
  /// has its own class, so its function name is determined only once.
  private static final ClassValue<NamedOnce> NAMES =
      new ClassValue<>() {
        @Override
        protected NamedOnce computeValue(Class<?> type) {
          return new NamedOnce();
        }
      };

  /// Returns the class name without its package, and the method name, for display.
  public String shortName() {
    return type.substring(type.lastIndexOf('.') + 1) + "." + method;
  }

  /// Returns the name of the function that a method reference stands for.
  ///
  /// @throws IllegalArgumentException if `function` is a lambda or captures a value
  public static FunctionName of(RemoteFunction function) {
    return NAMES.get(function.getClass()).name(function);
  }

  /// Parses a string that consists of a class name as [Class#getName] returns it, a dot, and a
  /// method name, or `new` for a constructor.
  ///
  /// @throws IllegalArgumentException if the string is not such a name
  public static FunctionName parse(String text) {
    int dot = text.lastIndexOf('.');
    String type = text.substring(0, Math.max(dot, 0));
    String method = text.substring(dot + 1);
    if (!isName(method) || !Arrays.stream(type.split("\\.", -1)).allMatch(FunctionName::isName)) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" does not name a method; write its class and package too, such as"
              + " dev.example.Server.update, dev.example.Outer$Inner.update or"
              + " dev.example.Server.new");
    }
    return new FunctionName(type, method.equals("new") ? CONSTRUCTOR : method);
  }

  private static boolean isName(String word) {
    return !word.isEmpty()
        && Character.isJavaIdentifierStart(word.charAt(0))
        && word.chars().allMatch(Character::isJavaIdentifierPart);
  }

  /// Returns the simple class name and the method name, such as `ParameterServer.forward`.
  @Override
  public String toString() {
    String simple = type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    return method.equals(CONSTRUCTOR) ? "new " + simple : simple + "." + method;
  }

  private static final class NamedOnce {
    private volatile @Nullable FunctionName name;

    FunctionName name(RemoteFunction function) {
      FunctionName known = name;
      if (known == null) {
        known = nameOf(function);
        name = known;
      }
      return known;
    }
  }

  private static FunctionName nameOf(RemoteFunction function) {
    SerializedLambda form = form(function);
    String method = form.getImplMethodName();
    if (method.startsWith("lambda$")) {
      throw new IllegalArgumentException(
          "a remote call needs a method reference such as Tensor::add; this is a lambda, which has"
              + " no stable name");
    }
    FunctionName name =
        method.contains("$")
            ? Forwarder.nameOf(function.getClass(), form)
            : new FunctionName(form.getImplClass().replace('/', '.'), method);
    if (form.getCapturedArgCount() > 0) {
      throw new IllegalArgumentException(
          "a remote call cannot carry the object of a bound reference; write "
              + simple(name.type)
              + "::"
              + name.method
              + " and pass the object, or a reference to it, as the first argument");
    }
    return name;
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
  }

  /// Returns the serialized form of a method reference. Nothing else reveals the referenced method.
  /// The serialized bytes are discarded.
  private static SerializedLambda form(RemoteFunction function) {
    try (Revealer revealer = new Revealer()) {
      revealer.writeObject(function);
      if (revealer.form == null) {
        throw new IllegalArgumentException(
            "a remote call needs a method reference such as Tensor::add; this is an object of "
                + function.getClass()
                + ", which names no method; "
                + BY_NAME);
      }
      return revealer.form;
    } catch (IOException e) {
      throw new IllegalArgumentException("the method reference has no readable name", e);
    }
  }

  private static final class Revealer extends ObjectOutputStream {
    private @Nullable SerializedLambda form;

    Revealer() throws IOException {
      super(OutputStream.nullOutputStream());
      enableReplaceObject(true);
    }

    @Override
    protected @Nullable Object replaceObject(Object object) {
      if (object instanceof SerializedLambda lambda) {
        form = lambda;
      }
      return null;
    }
  }
}
