// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.ContextSnapshot;
import dev.tensorbus.rpc.eventbus.StatusRequests;
import dev.tensorbus.rpc.eventbus.WorkerAssembly;
import io.vertx.core.Context;
import java.util.List;

/// The packages of this module depend on each other in one direction.
@AnalyzeClasses(packages = "dev.tensorbus.rpc", importOptions = DoNotIncludeTests.class)
class LayersTest {
  private static final String ROOT = "dev.tensorbus.rpc";

  /// From the top to the bottom: a package may use those after it.
  private static final List<String> LAYERS =
      List.of(
          ".nn",
          ".autograd",
          ".testing",
          ".eventbus",
          ".exchange",
          ".collective",
          ".profiler",
          ".reference",
          ".membership",
          ".pending",
          ".call",
          ".serving",
          ".graph",
          ".graph.pass",
          ".trace",
          ".lane",
          ".lane.socket",
          ".lane.memory",
          ".lane.slot",
          ".transport",
          ".idle",
          ".execution",
          ".wire.value",
          ".wire.message",
          ".wire",
          "",
          ".status",
          ".cluster",
          ".time",
          ".jfr");

  /// The public interface opens a worker, and finds the call that a thread runs.
  @ArchTest
  static final ArchRule rpcAloneReachesItsImplementation =
      noClasses()
          .that()
          .resideInAPackage(ROOT)
          .and()
          .doNotBelongToAnyOf(Rpc.class)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(above(LAYERS.indexOf("")));

  @ArchTest
  static final ArchRule rpcNamesFourClassesOfItsImplementation =
      noClasses()
          .that()
          .belongToAnyOf(Rpc.class)
          .should()
          .dependOnClassesThat(
              resideInAPackage(ROOT + ".*..")
                  .and(not(resideInAPackage(ROOT + ".status")))
                  .and(not(belongToAnyOf(WorkerAssembly.class, StatusRequests.class)))
                  .and(not(belongToAnyOf(CallContext.class, ContextSnapshot.class))));

  @ArchTest
  static void arrowsPointDown(JavaClasses classes) {
    for (int layer = 1; layer < LAYERS.size(); layer++) {
      if (!LAYERS.get(layer).isEmpty()) {
        noClasses()
            .that()
            .resideInAPackage(ROOT + LAYERS.get(layer))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(above(layer))
            .check(classes);
      }
    }
  }

  private static String[] above(int layer) {
    return LAYERS.subList(0, layer).stream().map(name -> ROOT + name).toArray(String[]::new);
  }

  @ArchTest
  static final ArchRule eachPackageHasItsLayer =
      classes()
          .should()
          .resideInAnyPackage(LAYERS.stream().map(name -> ROOT + name).toArray(String[]::new));

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices()
          .matching("dev.tensorbus.(**)")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(type(Rpc.class), resideInAPackage(ROOT + ".*"));

  @ArchTest
  static final ArchRule nobodyButRpcKnowsTheAssembly =
      noClasses()
          .that()
          .doNotBelongToAnyOf(Rpc.class, WorkerAssembly.class)
          .and()
          .doNotHaveSimpleName("EventBusRpc")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(WorkerAssembly.class)
          .orShould()
          .dependOnClassesThat()
          .haveSimpleName("EventBusRpc");

  /// `cluster` lies below, and starts its one thread itself.
  @ArchTest
  static final ArchRule executionAloneDecidesWhichThreadRunsWhat =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + ".execution", ROOT + ".cluster")
          .should()
          .callMethod(Context.class, "isOnEventLoopThread")
          .orShould()
          .callMethod(Context.class, "isOnWorkerThread")
          .orShould()
          .callMethod(Thread.class, "ofVirtual")
          .orShould()
          .callMethod(Thread.class, "startVirtualThread", Runnable.class);
}
