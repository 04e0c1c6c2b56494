// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.deployment.Dockerfile.Step;
import dev.tensorbus.verticles.mnist.MnistProgram;
import dev.tensorbus.verticles.worker.Programs;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetSpec;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The files of containers and pods agree with each other and with the programs.
class ManifestsTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final String PORTS = "29500-29520";

  private final Dockerfile dockerfile = Dockerfile.read(CONFIG.resolve("docker/Dockerfile"));
  private final ComposeFile compose = ComposeFile.read(CONFIG.resolve("docker/compose.yaml"));
  private final Manifests manifests = Manifests.readAll(CONFIG.resolve("kubernetes"));

  ManifestsTest() throws IOException {}

  private final Manifests store = Manifests.readAll(CONFIG.resolve("kubernetes/store"));

  private Stream<Container> containers() {
    return Stream.concat(compose.services().values().stream(), manifests.pods().values().stream());
  }

  @Test
  void aMisspeltFieldOrAWrongTypeIsFound() throws IOException {
    String job = Files.readString(CONFIG.resolve("kubernetes/trainer.yaml"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Manifests.parse(job.replace("completions:", "completion:")))
        .withMessageContaining("completion");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Manifests.parse(job.replace("runAsNonRoot: true", "runAsNonRoot: [1]")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Manifests.parse(job.replace("kind: Job", "kind: Jop")));
  }

  @Test
  void everyVariableIsASettingWithAValueThatItMayHave() {
    Program program =
        Programs.all().stream().filter(one -> one.name().equals("mnist")).findFirst().orElseThrow();
    List<String> known = program.settings().all().stream().map(Setting::variable).toList();
    Stream.concat(containers(), store.pods().values().stream())
        .forEach(
            container -> {
              assertThat(container.environment().keySet())
                  .filteredOn(name -> name.startsWith("TENSORBUS_"))
                  .isSubsetOf(known)
                  .contains(
                      "TENSORBUS_MASTER_ADDR", "TENSORBUS_WORLD_SIZE", "TENSORBUS_TRUSTED_NETWORK");
              assertThat(program.settings().given(container.environment())).isNotEmpty();
            });
  }

  @Test
  void allNameTheSamePorts() {
    PortRange ports = PortRange.parse(PORTS);
    assertThat(dockerfile.last("EXPOSE").arguments()).isEqualTo(PORTS);
    assertThat(dockerfile.last("ENV").arguments()).isEqualTo("TENSORBUS_PORTS=" + PORTS);
    assertThat(containers())
        .allSatisfy(one -> assertThat(one.environment()).containsEntry("TENSORBUS_PORTS", PORTS));
    assertThat(manifests.only(Service.class).getSpec().getPorts().getFirst().getPort())
        .isEqualTo(ports.first());
    NetworkPolicyPort open =
        manifests.only(NetworkPolicy.class).getSpec().getIngress().getFirst().getPorts().getFirst();
    assertThat(open.getPort().getIntVal()).isEqualTo(ports.first());
    assertThat(open.getEndPort()).isEqualTo(ports.last());
  }

  @Test
  void podsAreFoundByTheHeadlessServiceAndReachedByEachOther() {
    Service service = manifests.only(Service.class);
    assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
    Map<String, String> labels = service.getSpec().getSelector();
    assertThat(manifests.only(NetworkPolicy.class).getSpec().getPodSelector().getMatchLabels())
        .isEqualTo(labels);
    for (Job job : manifests.of(Job.class)) {
      PodTemplateSpec pod = job.getSpec().getTemplate();
      assertThat(pod.getMetadata().getLabels()).containsAllEntriesOf(labels);
      assertThat(pod.getSpec().getSubdomain()).isEqualTo(service.getMetadata().getName());
      assertThat(job.getSpec().getCompletionMode()).isEqualTo("Indexed");
    }
    Map<String, Container> pods = manifests.pods();
    assertThat(pods.values())
        .allSatisfy(
            pod ->
                assertThat(pod.environment())
                    .containsEntry("TENSORBUS_WORLD_SIZE", Integer.toString(pods.size()))
                    .containsEntry("TENSORBUS_MASTER_ADDR", "parameter-server-0.tensorbus"));
    assertThat(pods).containsKey("parameter-server-0.tensorbus");
  }

  @Test
  void serversAndTrainersAreAWorldThatTheProgramAccepts() {
    Map<String, Container> pods = store.pods();
    assertThat(pods.keySet())
        .containsExactly(
            "server-0.tensorbus",
            "server-1.tensorbus",
            "server-2.tensorbus",
            "trainer-0.any",
            "trainer-1.any");
    pods.values()
        .forEach(
            pod -> {
              JsonObject given = MnistProgram.PROGRAM.settings().given(pod.environment());
              WorkerOptions options = WorkerOptions.of(MnistProgram.PROGRAM.settings(), given);
              assertThatCode(() -> MnistProgram.PROGRAM.check().accept(options))
                  .doesNotThrowAnyException();
              assertThat(options.worldSize()).isEqualTo(pods.size());
              int servers = store.only(StatefulSet.class).getSpec().getReplicas();
              assertThat(options.whole(ServerSettings.SERVERS)).isEqualTo(servers);
              boolean isServer = options.rank().orElse(servers) < servers;
              assertThat(ServerSettings.role(options).isPresent()).isNotEqualTo(isServer);
            });
  }

  @Test
  void drainsTakeOneServerAtATime() {
    PodDisruptionBudgetSpec budget = store.only(PodDisruptionBudget.class).getSpec();
    assertThat(budget.getMaxUnavailable().getIntVal()).isEqualTo(1);
    Map<String, String> labels = budget.getSelector().getMatchLabels();
    assertThat(store.only(StatefulSet.class).getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(labels);
    assertThat(store.only(Deployment.class).getSpec().getTemplate().getMetadata().getLabels())
        .isNotEqualTo(labels);
  }

  /// The address of a pod changes when it is replaced, that of a service does not.
  @Test
  void rankZeroIsReachedAtAllItsPortsThroughAService() {
    Service service = store.only(Service.class);
    Map<String, Container> pods = store.pods();
    assertThat(service.getSpec().getClusterIP()).as("an address of its own").isNull();
    assertThat(service.getSpec().getSelector())
        .containsExactly(Map.entry("statefulset.kubernetes.io/pod-name", "server-0"));
    List<Integer> open = service.getSpec().getPorts().stream().map(port -> port.getPort()).toList();
    PortRange ports =
        PortRange.parse(pods.values().iterator().next().environment().get("TENSORBUS_PORTS"));
    assertThat(open).isEqualTo(IntStream.rangeClosed(ports.first(), ports.last()).boxed().toList());
    assertThat(pods.values())
        .allSatisfy(
            pod ->
                assertThat(pod.environment())
                    .containsEntry("TENSORBUS_MASTER_ADDR", service.getMetadata().getName())
                    .containsEntry("TENSORBUS_PORTS", ports.toString()));
    assertThat(PortRange.parse(PORTS).last()).as("the policy's").isGreaterThan(ports.last());
    Map<String, String> labels =
        manifests.only(NetworkPolicy.class).getSpec().getPodSelector().getMatchLabels();
    assertThat(store.templates())
        .allSatisfy(
            alike ->
                assertThat(alike.template().getMetadata().getLabels())
                    .containsAllEntriesOf(labels));
  }

  @Test
  void servicesOfComposeAreAWorld() {
    Map<String, Container> services = compose.services();
    assertThat(services.values().stream().map(one -> one.environment().get("TENSORBUS_RANK")))
        .containsExactly("0", "1", "2");
    assertThat(services.values())
        .allSatisfy(
            one ->
                assertThat(one.environment())
                    .containsEntry("TENSORBUS_WORLD_SIZE", Integer.toString(services.size()))
                    .containsEntry("TENSORBUS_MASTER_ADDR", "parameter-server"));
    assertThat(services).containsKey("parameter-server");
  }

  @Test
  void nobodyIsRoot() {
    assertThat(dockerfile.last("USER").arguments()).matches("[1-9]\\d*:[1-9]\\d*");
    assertThat(Stream.of(manifests, store).flatMap(each -> each.templates().stream()))
        .hasSize(4)
        .allSatisfy(
            alike -> {
              var pod = alike.template().getSpec();
              assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
              var container = pod.getContainers().getFirst().getSecurityContext();
              assertThat(container.getAllowPrivilegeEscalation()).isFalse();
              assertThat(container.getReadOnlyRootFilesystem()).isTrue();
            });
  }

  @Test
  void baseImagesAreNamedWithoutARegistry() {
    assertThat(dockerfile.steps())
        .filteredOn(step -> step.instruction().equals("FROM"))
        .extracting(Step::arguments)
        .containsExactly("maven:3.9-eclipse-temurin-25 AS build", "debian:13-slim");
  }
}
