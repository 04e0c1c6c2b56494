// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.profiler.RecordFunction;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.Profiled;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.ServerProfiler;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A profile shows what the workers of a world do, and what led to what.
@Isolated // a recording has all that its process does
class ProfilerTest {
  private static final String KEY = "rpcSync#Profiled.several(worker0 -> worker1)";

  private static MemoryWorld world;
  private static Rpc rpc;

  private final Tensor a = Tensor.of(1, 2, 3);
  private final Tensor b = Tensor.of(4, 5, 6);

  @BeforeAll
  static void openWorld() {
    world = new MemoryWorld(3);
    rpc = world.worker(0);
  }

  @AfterAll
  static void closeWorld() {
    world.close();
  }

  private static Profile profile(Runnable body) {
    return profile(ProfilerOptions.DEFAULT, body);
  }

  private static Profile profile(ProfilerOptions options, Runnable body) {
    try (Profiler profiler = Profiler.start(rpc, options)) {
      body.run();
      return profiler.stop();
    }
  }

  private static List<FunctionEvent> of(Profile profile, EventKind kind) {
    return profile.events().stream().filter(event -> event.kind() == kind).toList();
  }

  private static List<String> ownNames(List<FunctionEvent> events) {
    return events.stream().map(FunctionEvent::ownName).toList();
  }

  private static FunctionEvent only(Profile profile, String ownName) {
    List<FunctionEvent> found =
        profile.events().stream().filter(event -> event.ownName().equals(ownName)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private void call(String mode, String to) {
    switch (mode) {
      case "rpcSync" -> rpc.rpcSync(to, Profiled::add, a, b);
      case "rpcAsync" -> rpc.rpcAsync(to, Profiled::add, a, b).await();
      default -> {
        try (RRef<Tensor> sum = rpc.remote(to, Profiled::add, a, b)) {
          Tensor _ = sum.toHere();
        }
        World.eventually(() -> rpc.debugInfo().get("rpc.pending_calls") == 0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rpcSync", "rpcAsync", "remote"})
  void aCallIsNamedAfterItsModeItsFunctionAndBothWorkers(String mode) {
    Profile profile = profile(() -> call(mode, "worker1"));
    assertThat(ownNames(of(profile, EventKind.CALL)))
        .containsOnlyOnce(mode + "#Profiled.add(worker0 -> worker1)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rpcSync worker1", "rpcAsync worker1", "remote worker1", "remote worker0"})
  void aCallIsOneEventOfTheCallerAndItsMethodOneOfTheCallee(String modeAndCallee) {
    String mode = modeAndCallee.split(" ")[0];
    String to = modeAndCallee.split(" ")[1];
    Profile profile =
        profile(
            () -> {
              try (RecordFunction _ = RecordFunction.begin("foo")) {
                call(mode, to);
              }
            });
    FunctionEvent call = only(profile, mode + "#Profiled.add(worker0 -> " + to + ")");
    FunctionEvent block = only(profile, "foo");
    FunctionEvent method = only(profile, "Profiled.add");
    assertThat(call.worker()).isEqualTo(rpc.self());
    assertThat(method.worker().name()).isEqualTo(to);
    assertThat(method.isRemote()).isTrue();
    assertThat(profile.flows()).contains(new Profile.Flow(call, method));
    assertThat(block.startNanos()).isLessThanOrEqualTo(call.startNanos());
    assertThat(block.endNanos()).isGreaterThanOrEqualTo(method.endNanos());
    assertThat(profile.events().indexOf(block)).isLessThan(profile.events().indexOf(call));
  }

  @Test
  void remoteOperationsHaveTheShapesOfLocalOnes() {
    ProfilerOptions options = ProfilerOptions.DEFAULT.withShapes();
    Profile local = profile(options, () -> Profiled.several(a, b));
    Profile remote = profile(options, () -> rpc.rpcSync("worker1", Profiled::several, a, b));
    assertThat(of(remote, EventKind.OPERATION))
        .extracting(FunctionEvent::shapes)
        .isEqualTo(of(local, EventKind.OPERATION).stream().map(FunctionEvent::shapes).toList())
        .startsWith("[[3], [3]]");
    assertThat(of(profile(() -> Profiled.several(a, b)), EventKind.OPERATION))
        .extracting(FunctionEvent::shapes)
        .containsOnly("");
  }

  @Test
  void theMemoryOfRemoteOperationsComesIfItIsAskedFor() {
    Profile asked =
        profile(
            ProfilerOptions.DEFAULT.withMemory(),
            () -> rpc.rpcSync("worker1", Profiled::several, a, b));
    Profile notAsked = profile(() -> rpc.rpcSync("worker1", Profiled::several, a, b));
    assertThat(of(asked, EventKind.OPERATION)).extracting(FunctionEvent::bytes).containsOnly(12L);
    assertThat(notAsked.events()).extracting(FunctionEvent::bytes).containsOnly(0L);
  }

  @Test
  void remoteOperationsHaveTheNameOfTheirCallBeforeTheirOwn() {
    Profile profile = profile(() -> rpc.rpcSync("worker1", Profiled::several, a, b));
    assertThat(of(profile, EventKind.OPERATION))
        .allMatch(FunctionEvent::isRemote)
        .allMatch(event -> event.worker().name().equals("worker1"))
        .extracting(FunctionEvent::name)
        .containsExactly(
            KEY + "#remote_op: add",
            KEY + "#remote_op: mul",
            KEY + "#remote_op: relu",
            KEY + "#remote_op: clamp",
            KEY + "#remote_op: sigmoid");
  }

  @Test
  void callsInFlightFromTwoThreadsKeepTheirOperationsApart() {
    Profile profile =
        profile(
            () ->
                Future.all(
                        IntStream.range(0, 2)
                            .mapToObj(thread -> onThread(() -> callTwice(thread + 1)))
                            .toList())
                    .await());
    for (int callee = 1; callee <= 2; callee++) {
      String key = "rpcAsync#Profiled.add(worker0 -> worker%d)".formatted(callee);
      String worker = "worker" + callee;
      assertThat(of(profile, EventKind.OPERATION))
          .filteredOn(event -> event.name().equals(key + "#remote_op: add"))
          .hasSize(2)
          .allMatch(event -> event.isRemote() && event.worker().name().equals(worker));
    }
  }

  private static Future<Void> onThread(Runnable body) {
    return Future.future(
        done ->
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        body.run();
                        done.complete();
                      } catch (RuntimeException | Error e) {
                        done.fail(e);
                      }
                    }));
  }

  private void callTwice(int callee) {
    rpc.waitAll(
        List.of(
            rpc.rpcAsync("worker" + callee, Profiled::add, a, b),
            rpc.rpcAsync("worker" + callee, Profiled::add, a, b)));
  }

  @Test
  void aNestedCallHasBothCallsBeforeItsOperations() {
    Profile profile = profile(() -> rpc.rpcSync("worker1", Profiled::nested, "worker2", a, b));
    String outer = "rpcSync#Profiled.nested(worker0 -> worker1)#remote_op: ";
    String inner = "rpcSync#Profiled.add(worker1 -> worker2)#remote_op: ";
    assertThat(of(profile, EventKind.OPERATION))
        .extracting(FunctionEvent::name)
        .containsExactly(outer + inner + "add", outer + "mul");
  }

  @Test
  void aBlockInARemoteMethodHasTheChildrenThatItHasLocally() {
    Profile local = profile(() -> Profiled.blocks(a, b));
    Profile remote = profile(() -> rpc.rpcSync("worker1", Profiled::blocks, a, b));
    FunctionEvent block = only(remote, "foo");
    assertThat(block.worker().name()).isEqualTo("worker1");
    assertThat(ownNames(block.children()))
        .isEqualTo(ownNames(only(local, "foo").children()))
        .contains("add", "sigmoid");
  }

  @Test
  void theTimeOfABlockLessItsChildrenIsItsOwn() {
    FunctionEvent block = only(profile(() -> Profiled.blocks(a, b)), "foo");
    long children = block.children().stream().mapToLong(FunctionEvent::nanos).sum();
    assertThat(block.selfNanos()).isEqualTo(block.nanos() - children);
  }

  @Test
  void aProfileWithinAContextHasTheRemoteOperations() {
    try (var context = DistAutograd.context(rpc)) {
      assertThat(context).isNotNull();
      assertHasRemoteOperations(profile(() -> rpc.rpcSync("worker1", Profiled::several, a, b)));
    }
  }

  @Test
  void aContextWithinAProfileHasTheRemoteOperations() {
    assertHasRemoteOperations(
        profile(
            () -> {
              try (var context = DistAutograd.context(rpc)) {
                assertThat(context).isNotNull();
                Tensor _ = rpc.rpcSync("worker1", Profiled::several, a, b);
              }
            }));
  }

  private static void assertHasRemoteOperations(Profile profile) {
    assertThat(profile.keyAverages())
        .extracting(FunctionEventAvg::name)
        .contains(KEY + "#remote_op: mul");
  }

  @Test
  void aServerIsProfiledThroughReferencesInTwoNestedSessions() {
    try (RRef<Profiled> server = rpc.remote("worker1", Profiled::new);
        RRef<ServerProfiler> outer = rpc.remote("worker1", ServerProfiler::new)) {
      outer.created().await();
      Tensor _ = server.rpcSync(Profiled::plus, a, b);
      try (RRef<ServerProfiler> inner = rpc.remote("worker1", ServerProfiler::new)) {
        inner.created().await();
        Tensor _ = server.rpcSync(Profiled::sub, a, b);
        assertThat(inner.rpcSync(ServerProfiler::stop)).containsExactly("sub");
        assertThat(inner.rpcSync(ServerProfiler::table)).contains("Profiled.sub");
      }
      assertThat(outer.rpcSync(ServerProfiler::stop)).containsExactly("add", "sub");
      assertThat(outer.rpcSync(ServerProfiler::table)).contains("Profiled.plus", "Profiled.sub");
    }
  }

  @Test
  void aBackwardPassHasASendAndAReceiveWithinIt() {
    Tensor weight = Tensor.of(1, 2, 3);
    weight.requiresGrad(true);
    Profile profile =
        profile(
            () -> {
              try (var context = DistAutograd.context(rpc)) {
                context.backward(rpc.rpcSync("worker1", Profiled::add, weight, b).sum());
              }
            });
    FunctionEvent pass = only(profile, "DistContext.backward");
    for (EventKind kind : List.of(EventKind.SEND, EventKind.RECEIVE)) {
      assertThat(of(profile, kind))
          .filteredOn(event -> event.worker().equals(rpc.self()))
          .singleElement()
          .satisfies(event -> assertThat(event.nanos()).isLessThan(pass.nanos()));
    }
    assertThat(profile.flows())
        .filteredOn(flow -> flow.to().kind() == EventKind.SEND)
        .extracting(flow -> flow.from().worker().id() + " -> " + flow.to().worker().id())
        .containsExactlyInAnyOrder("0 -> 1", "1 -> 0");
  }

  @Test
  void theTableNamesOperationsWithTheirCalls() {
    ProfilerOptions options = ProfilerOptions.DEFAULT.withShapes().withMemory();
    Profile profile = profile(options, () -> rpc.rpcSync("worker1", Profiled::several, a, b));
    assertThat(profile.table().lines().findFirst().orElseThrow())
        .matches("name +self % +self +total +mean +calls +memory +shapes");
    assertThat(profile.table().lines())
        .anyMatch(line -> line.startsWith(KEY + "#remote_op: mul ") && line.endsWith("[[3], [3]]"));
  }

  @Test
  void stoppingTwiceGivesTheSameProfile() {
    try (Profiler profiler = Profiler.start(rpc)) {
      assertThat(profiler.stop()).isSameAs(profiler.stop());
    }
  }

  @Test
  void aProcessRecordsForSoManyProfilesAndNoMore() {
    List<Profiler> most = IntStream.range(0, 16).mapToObj(_ -> Profiler.start(rpc)).toList();
    try (Profiler oneMore = Profiler.start(rpc)) {
      assertThat(oneMore.stop().missing()).contains("worker0", "worker1", "worker2");
    } finally {
      most.forEach(Profiler::close);
    }
    assertThat(profile(() -> call("rpcSync", "worker1")).missing()).isEmpty();
  }

  @Test
  void aWorkerThatIsNotThereCannotBeProfiled() {
    ProfilerOptions options = ProfilerOptions.DEFAULT.withWorkers("nobody");
    assertThatThrownBy(() -> Profiler.start(rpc, options))
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessageContaining("nobody");
  }

  @Test
  void afterAProfileCallsGoOnWithoutEvents() {
    Profile _ = profile(() -> call("rpcSync", "worker1"));
    call("rpcSync", "worker2");
    Profile later = profile(() -> call("rpcSync", "worker1"));
    assertThat(ownNames(of(later, EventKind.CALL)))
        .containsExactly("rpcSync#Profiled.add(worker0 -> worker1)");
  }
}
