// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.tensorbus.rpc.Rpc;
import java.util.random.RandomGenerator;

/// What `module-info` cannot say.
@AnalyzeClasses(packages = "dev.tensorbus", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices()
          .matching("dev.tensorbus.(**)")
          .should()
          .beFreeOfCycles()
          // A tensor's methods are its operations, and an operation is between tensors.
          .ignoreDependency(
              resideInAPackage("dev.tensorbus.autograd"),
              resideInAPackage("dev.tensorbus.autograd.op"))
          // The choice between the two implementations stands with their interface.
          .ignoreDependency(
              name("dev.tensorbus.autograd.kernel.KernelChoice"),
              resideInAPackage("dev.tensorbus.autograd.kernel.(scalar|vector)"))
          // The interface makes its one implementation.
          .ignoreDependency(type(Rpc.class), resideInAPackage("dev.tensorbus.rpc.eventbus"));

  @ArchTest
  static final ArchRule onlyProgramsPrint =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.tensorbus.launch",
              "dev.tensorbus.verticles.command",
              "dev.tensorbus.verticles.progress",
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
}
