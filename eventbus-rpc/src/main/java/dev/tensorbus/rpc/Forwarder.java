// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.AccessFlag;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the method behind a compiler-generated one. Scala generates a method for each method
/// reference, and Kotlin for some. If the generated method only passes its parameters on to another
/// method, the reference stands for that other method.
final class Forwarder {
  /// Boxing and unboxing methods of the JDK and of Scala.
  private static final Pattern CONVERSION =
      Pattern.compile(
          "java/lang/\\w+\\.(valueOf|[a-z]+Value)|scala/runtime/BoxesRunTime\\.(un)?boxTo\\w+"
              + "|scala/Predef\\$\\.[A-Za-z]+2[A-Za-z]+");

  /// The unit value that a generated method returns instead of a result.
  private static final Pattern UNIT =
      Pattern.compile("kotlin/Unit\\.INSTANCE|scala/runtime/BoxedUnit\\.UNIT");

  private final int parameters;
  private int slot;
  private @Nullable InvokeInstruction target;

  private Forwarder(int parameters) {
    this.parameters = parameters;
  }

  /// Returns the name of the referenced method, or of the method behind it if a compiler generated
  /// the referenced method.
  ///
  /// @param near a class whose loader finds the class file of the referenced method
  /// @throws IllegalArgumentException if the generated method does more than forward
  static FunctionName nameOf(Class<?> near, SerializedLambda form) {
    return classFile(near, form.getImplClass())
        .flatMap(type -> name(type, form.getImplMethodName(), form.getImplMethodSignature()))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a remote call needs a reference to a method; this is a Kotlin or Scala lambda"
                        + " that does more than call one; "
                        + FunctionName.BY_NAME));
  }

  private static Optional<ClassModel> classFile(Class<?> near, String type) {
    try (InputStream file = near.getResourceAsStream("/" + type + ".class")) {
      return file == null
          ? Optional.empty()
          : Optional.of(ClassFile.of().parse(file.readAllBytes()));
    } catch (IOException e) {
      throw new IllegalArgumentException("the class file of " + type + " cannot be read", e);
    }
  }

  private static Optional<FunctionName> name(ClassModel type, String name, String descriptor) {
    Optional<MethodModel> made =
        type.methods().stream()
            .filter(method -> method.methodName().equalsString(name))
            .filter(method -> method.methodType().equalsString(descriptor))
            .filter(Forwarder::isMade)
            .findFirst();
    return made.isEmpty()
        ? Optional.of(functionName(type.thisClass().asInternalName(), name))
        : made.flatMap(method -> behind(type, method));
  }

  /// Returns whether a compiler generated a method. The names of internal Kotlin methods also
  /// contain a `$`, but these methods are not private.
  private static boolean isMade(MethodModel method) {
    return method.methodName().stringValue().contains("$")
        && method.flags().has(AccessFlag.STATIC)
        && (method.flags().has(AccessFlag.PRIVATE) || method.flags().has(AccessFlag.SYNTHETIC))
        && !isRemote(method);
  }

  private static boolean isRemote(MethodModel method) {
    ClassDesc remote = Remote.class.describeConstable().orElseThrow();
    return method
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .filter(marks -> marks.annotations().stream().anyMatch(a -> a.classSymbol().equals(remote)))
        .isPresent();
  }

  private static Optional<FunctionName> behind(ClassModel type, MethodModel method) {
    Forwarder forwarder = new Forwarder(method.methodTypeSymbol().parameterCount());
    return method
        .code()
        .filter(code -> code.elementStream().allMatch(forwarder::passesOn))
        .flatMap(code -> forwarder.target(type));
  }

  private boolean passesOn(CodeElement element) {
    return switch (element) {
      case LoadInstruction load -> isNext(load);
      case FieldInstruction field -> isObject(field);
      case InvokeInstruction invoke -> isConversion(invoke) || isTarget(invoke);
      case StackInstruction stack -> stack.opcode() == (target == null ? Opcode.DUP : Opcode.POP);
      case TypeCheckInstruction check -> check.opcode() == Opcode.CHECKCAST;
      case NewObjectInstruction made -> target == null;
      case ReturnInstruction end -> true;
      case Instruction other -> false;
      default -> true;
    };
  }

  private boolean isNext(LoadInstruction load) {
    boolean isNext = target == null && load.slot() == slot;
    slot += load.typeKind().slotSize();
    return isNext;
  }

  private boolean isObject(FieldInstruction field) {
    if (target != null) {
      return UNIT.matcher(name(field)).matches();
    }
    return field.opcode() == Opcode.GETSTATIC && field.name().equalsString("MODULE$");
  }

  private static String name(FieldInstruction field) {
    return field.owner().asInternalName() + "." + field.name().stringValue();
  }

  private static boolean isConversion(InvokeInstruction invoke) {
    String name = invoke.owner().asInternalName() + "." + invoke.name().stringValue();
    return CONVERSION.matcher(name).matches();
  }

  private boolean isTarget(InvokeInstruction invoke) {
    boolean isFirst = target == null;
    target = invoke;
    return isFirst;
  }

  /// Returns the method behind the generated one, or empty if the generated method does more than
  /// forward. Methods of a Scala object are called through their static forwarders.
  private Optional<FunctionName> target(ClassModel type) {
    if (target == null) {
      return Optional.empty();
    }
    String owner = target.owner().asInternalName();
    String name = target.name().stringValue();
    boolean hasReceiver =
        target.opcode() != Opcode.INVOKESTATIC && !name.equals(FunctionName.CONSTRUCTOR);
    int taken = target.typeSymbol().parameterCount() + (hasReceiver ? 1 : 0);
    if (hasReceiver && owner.endsWith("$") && taken == parameters + 1) {
      return Optional.of(functionName(owner.substring(0, owner.length() - 1), name));
    }
    if (taken != parameters) {
      return Optional.empty();
    }
    return owner.equals(type.thisClass().asInternalName())
        ? name(type, name, target.type().stringValue())
        : Optional.of(functionName(owner, name));
  }

  private static FunctionName functionName(String type, String method) {
    return new FunctionName(type.replace('/', '.'), method);
  }
}
