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
import dev.tensorbus.rpc.worker.ContextSnapshot;
import dev.tensorbus.rpc.worker.StatusRequests;
import dev.tensorbus.rpc.worker.WorkerAssembly;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The rooms of this module depend on each other in one direction.
@AnalyzeClasses(packages = "dev.tensorbus.rpc", importOptions = DoNotIncludeTests.class)
class LayersTest {
  private static final String ROOT = "dev.tensorbus.rpc";

  /// The rooms of this module, the subpackages included: each with the rooms that it may use beside
  /// the public interface (`rpc`) and the events (`jfr`), which everyone may use.
  private static final Map<String, List<String>> ROOMS =
      Map.ofEntries(
          room("parallel", "autograd graph"),
          room("autograd", "graph call"),
          room("testing", "transport wire thread"),
          room(
              "worker",
              "collective group reference graph observe world call transport wire thread"),
          room("collective", "group graph world call wire thread"),
          room("group", ""),
          room("reference", "world call wire thread"),
          room("world", "call transport wire thread"),
          room("call", "wire thread"),
          room("graph", "call observe wire thread"),
          room("transport", "call wire thread"),
          room("observe", "call wire"),
          room("wire", ""),
          room("thread", ""),
          room("rpc", "world transport thread observe"),
          room("jfr", ""));

  private static Map.Entry<String, List<String>> room(String name, String uses) {
    return Map.entry(name, List.of(uses.split(" ")));
  }

  /// The public interface opens a worker, and finds the call that a thread runs.
  @ArchTest
  static final ArchRule rpcNamesFourClassesOfItsImplementation =
      noClasses()
          .that()
          .belongToAnyOf(Rpc.class)
          .should()
          .dependOnClassesThat(
              resideInAPackage(ROOT + ".*..")
                  .and(not(resideInAPackage(ROOT + ".observe.status")))
                  .and(not(belongToAnyOf(WorkerAssembly.class, StatusRequests.class)))
                  .and(not(belongToAnyOf(CallContext.class, ContextSnapshot.class))));

  @ArchTest
  static void aRoomUsesTheRoomsThatItNames(JavaClasses classes) {
    ROOMS.forEach(
        (room, uses) -> {
          List<String> may = new ArrayList<>(uses);
          may.addAll(List.of(room, "rpc", "jfr"));
          noClasses()
              .that()
              .resideInAnyPackage(packages(room))
              .and()
              .doNotBelongToAnyOf(Rpc.class)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  ROOMS.keySet().stream()
                      .filter(other -> !may.contains(other))
                      .map(LayersTest::packages)
                      .toArray(String[]::new))
              .check(classes);
        });
  }

  private static String packages(String room) {
    return room.equals("rpc") ? ROOT : ROOT + "." + room + "..";
  }

  @ArchTest
  static final ArchRule eachPackageIsInARoom =
      classes()
          .should()
          .resideInAnyPackage(
              ROOMS.keySet().stream().map(LayersTest::packages).toArray(String[]::new));

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

  /// `thread` alone knows which thread is an event loop, and starts threads.
  @ArchTest
  static final ArchRule executionAloneDecidesWhichThreadRunsWhat =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + ".thread", ROOT + ".thread.execution")
          .should()
          .callMethod(Context.class, "isOnEventLoopThread")
          .orShould()
          .callMethod(Context.class, "isOnWorkerThread")
          .orShould()
          .callMethod(Thread.class, "ofVirtual")
          .orShould()
          .callMethod(Thread.class, "startVirtualThread", Runnable.class)
          .orShould()
          .callMethod(Thread.class, "ofPlatform")
          .orShould()
          .callConstructor(Thread.class, Runnable.class);
}
