// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Rpc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.util.List;
import java.util.random.RandomGenerator;

/// Rules that `module-info` cannot state.
@AnalyzeClasses(
    packages = "dev.tensorbus",
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestJars.class})
class ArchitectureTest {
  /// Maven packs the gateway's tests, which those of this module use, into a jar.
  static final class DoNotIncludeTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final String[] AUTOGRAD = {
    "dev.tensorbus.autograd..", "dev.tensorbus.nn..", "dev.tensorbus.distributions.."
  };

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices()
          .matching("dev.tensorbus.(**)")
          .should()
          .beFreeOfCycles()
          // A tensor's methods call operations, which the graph records; both are about tensors.
          .ignoreDependency(
              type(Tensor.class),
              resideInAnyPackage("dev.tensorbus.autograd.graph", "dev.tensorbus.autograd.op.."))
          // The choice between the two implementations stands with their interface.
          .ignoreDependency(
              name("dev.tensorbus.autograd.kernel.KernelChoice"),
              resideInAPackage("dev.tensorbus.autograd.kernel.(scalar|vector)"))
          // The interface opens its implementation and asks for the context of the running call.
          .ignoreDependency(type(Rpc.class), resideInAPackage("dev.tensorbus.rpc.."));

  @ArchTest
  static final ArchRule autogradKnowsNoMessagesWorkersOrNetwork =
      noClasses()
          .that()
          .resideInAnyPackage(AUTOGRAD)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.tensorbus.optim..",
              "dev.tensorbus.rpc..",
              "dev.tensorbus.verticles..",
              "io.vertx..",
              "io.netty..",
              "com.hazelcast..",
              "java.net..");

  @ArchTest
  static final ArchRule onlyProgramsPrint =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.tensorbus.launch",
              "dev.tensorbus.verticles.command",
              "dev.tensorbus.verticles.log",
              "dev.tensorbus.verticles.progress",
              "dev.tensorbus.verticles.worker",
              "dev.tensorbus.benchmarks..")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(IO.class);

  @ArchTest
  static final ArchRule vectorKernelsAreReachedThroughKernels =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.tensorbus.autograd.kernel..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.tensorbus.autograd.kernel.vector..")
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage("jdk.incubator.vector");

  @ArchTest
  static final ArchRule verticlesHoldNoArithmetic =
      noClasses()
          .that()
          .resideInAPackage("dev.tensorbus.verticles")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.tensorbus.autograd.op..", "dev.tensorbus.autograd.kernel..")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(Math.class, StrictMath.class, RandomGenerator.class);

  /// Sums, products and what else is done with values is the engine's. ArchUnit sees no
  /// instructions, so that the condition reads them itself.
  @ArchTest
  static final ArchRule programsDoNoArithmeticOnArrays =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.tensorbus.verticles.batch..",
              "dev.tensorbus.verticles.cartpole..",
              "dev.tensorbus.verticles.check..",
              "dev.tensorbus.verticles.mnist..",
              "dev.tensorbus.verticles.rnn..")
          .and()
          // The one compares two gradients value by value, the other draws digits on a picture.
          .haveNameNotMatching(".*\\.(Comparison(\\$.*)?|SegmentDigits)")
          .should(doArithmeticOnArrays());

  private static ArchCondition<JavaClass> doArithmeticOnArrays() {
    return new ArchCondition<>("do arithmetic on arrays of float or double") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (MethodModel method : parse(type).methods()) {
          if (doesArithmeticOnArrays(method)) {
            String name = type.getName() + "." + method.methodName().stringValue();
            events.add(SimpleConditionEvent.satisfied(type, name + " computes on an array"));
          }
        }
      }
    };
  }

  private static ClassModel parse(JavaClass type) {
    try (InputStream bytes = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return ClassFile.of().parse(bytes.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether a method reads or writes elements of such an array and computes with such numbers.
  private static boolean doesArithmeticOnArrays(MethodModel method) {
    List<CodeElement> code = method.code().map(CodeModel::elementList).orElse(List.of());
    boolean usesArrays =
        code.stream()
            .anyMatch(
                element ->
                    (element instanceof ArrayLoadInstruction load && isReal(load.typeKind()))
                        || (element instanceof ArrayStoreInstruction store
                            && isReal(store.typeKind())));
    return usesArrays
        && code.stream()
            .anyMatch(
                element ->
                    element instanceof OperatorInstruction operator && isReal(operator.typeKind()));
  }

  private static boolean isReal(TypeKind kind) {
    return kind == TypeKind.FLOAT || kind == TypeKind.DOUBLE;
  }
}
