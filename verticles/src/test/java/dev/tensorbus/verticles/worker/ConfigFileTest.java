// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.mnist.MnistProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
  @TempDir Path folder;

  @Test
  void theFilesThatComeWithTensorbusAreGood() {
    Path config = Path.of("../config");
    WorkerOptions server = read(Role.PARAMETER_SERVER, config.resolve("parameter-server.json"));
    WorkerOptions trainer = read(Role.TRAINER, config.resolve("trainer.json"));
    assertThat(server.rank()).hasValue(0);
    assertThat(trainer.rank()).isEmpty();
    assertThat(server.worldSize()).isEqualTo(trainer.worldSize()).isEqualTo(3);
    assertThat(server.masterPort()).isEqualTo(trainer.masterPort());
    assertThat(trainer.lr()).isEqualTo(0.03);
    WorkerOptions gateway =
        read(Role.PARAMETER_SERVER, config.resolve("grpc/parameter-server.json"));
    assertThat(GatewaySettings.of(gateway)).contains(GatewayOptions.onLoopback(50_051));
    assertThat(gateway.worldSize()).isEqualTo(trainer.worldSize());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          {}                              | worldSize is missing; expected the number of workers
          {"worldSize": "3"}              | worldSize is 3; expected a whole number from 2 to 1024
          {"worldSize": 2.5}              | worldSize is 2.5; expected a whole number from 2 to 1024
          {"worldSize": null}             | worldSize is null; expected a whole number from 2 to 1024
          {"worldSize": 3, "epoch": 2}    | unknown key epoch; known keys: program, worldSize, rank, masterAddr, masterPort, ports, advertisedAddr, tls, trustedNetwork, servers, witness, replicas, consistency, checkpoint, checkpointEvery, restarts, role, data, save, resume, epochs, batchSize, lr, device, forward, numGpus, cpuFallback, grpcTrainers, grpcBatch, grpcDelay, grpcSkipNonfinite, tensorboard, log, profile, seed, threads, timeout
          {"program": "mnits"}            | unknown program "mnits"; known programs: mnist
          {"worldSize": 3, "rank": 3}     | rank is 3, outside a world of 3 workers; expected 0 to 2
          {"worldSize": 3, "rank": 0}     | rank is 0; expected 1 to 2 for the role trainer
          {"worldSize": 3, "device": "x"} | device is x; expected cpu, cuda or cuda:N, such as cuda:0
          {"worldSize": 3, "data": "no"}  | data is no; expected an existing folder
          [3]                             | not a JSON object: it starts with [
          {"worldSize": 3                 | not a JSON object: Unexpected end-of-input: expected close marker for Object
          """)
  void aMistakeInAFileIsAnsweredInOneLine(String json, String answer) throws IOException {
    Path file = Files.writeString(folder.resolve("trainer.json"), json);
    assertThatThrownBy(() -> read(Role.TRAINER, file))
        .isInstanceOf(UsageException.class)
        .message()
        .startsWith(file + ": " + answer)
        .hasLineCount(1);
  }

  @Test
  void theFilesOfAWorldWithServersAgree() {
    Path config = Path.of("../config/store");
    WorkerOptions server = read(Role.PARAMETER_SERVER, config.resolve("parameter-server.json"));
    WorkerOptions witness = read(Role.PARAMETER_SERVER, config.resolve("witness.json"));
    WorkerOptions trainer = read(Role.TRAINER, config.resolve("trainer.json"));
    assertThat(server.rank()).hasValue(0);
    assertThat(trainer.rank()).isEmpty();
    for (WorkerOptions each : List.of(server, witness, trainer)) {
      assertThatCode(() -> MnistProgram.PROGRAM.check().accept(each)).doesNotThrowAnyException();
      assertThat(each.worldSize()).isEqualTo(5);
      assertThat(MnistProgram.PROGRAM.nameOf(0, each)).isEqualTo("server1");
      assertThat(MnistProgram.PROGRAM.nameOf(witness.rank().orElseThrow(), each))
          .isEqualTo("witness");
      assertThat(MnistProgram.PROGRAM.nameOf(4, each)).isEqualTo("trainer2");
    }
    assertThat(MnistProgram.PROGRAM.binding(Role.TRAINER, trainer).role()).isEqualTo(Role.TRAINER);
  }

  @ParameterizedTest
  @CsvSource({
    "PARAMETER_SERVER, 3, rank is 3; expected 0 to 2 for the role parameter-server",
    "TRAINER, 2, rank is 2; expected 3 to 4 for the role trainer",
    "WITNESS, 0, rank is 0; expected 2 for the role witness"
  })
  void aRankOfAnotherRoleIsRefused(Role role, int rank, String answer) {
    String json =
        "{\"worldSize\": 5, \"servers\": 2, \"witness\": true, \"rank\": %d}".formatted(rank);
    assertThatThrownBy(() -> config(role).read(List.of("-conf", json)))
        .hasMessage("-conf: " + answer);
  }

  @Test
  void aServerHasRankZero() {
    assertThatThrownBy(
            () ->
                config(Role.PARAMETER_SERVER)
                    .read(List.of("-conf", "{\"worldSize\": 2, \"rank\": 1}")))
        .hasMessage("-conf: rank is 1; expected 0 or none for the role parameter-server");
  }

  @Test
  void aProgramHasTheRoles() {
    assertThatThrownBy(
            () -> config(Role.OBSERVER).read(List.of("-conf", "{\"program\": \"mnist\"}")))
        .hasMessage(
            "-conf: program mnist has no observer; its roles are parameter-server and trainer");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> read(Role.TRAINER, Path.of("no/such.json")))
        .hasMessage("no/such.json: no such file; expected a JSON file such as config/trainer.json");
  }

  @Test
  void aFolderIsNoFile() {
    assertThatThrownBy(() -> read(Role.TRAINER, folder))
        .message()
        .startsWith(folder + ": cannot be read")
        .hasLineCount(1);
  }

  @Test
  void whatElseIsGivenIsRefused() {
    assertThatThrownBy(() -> config(Role.TRAINER).read(List.of("-cluster")))
        .hasMessage(
            "trainer expects -conf FILE, for example -conf config/trainer.json; given: -cluster");
  }

  @Test
  void aVariableOfTheEnvironmentWinsOverTheFile() throws IOException {
    Path file = Files.writeString(folder.resolve("trainer.json"), "{\"epochs\": 2, \"lr\": 0.5}");
    Map<String, String> variables =
        Map.of(
            "TENSORBUS_WORLD_SIZE", "4",
            "TENSORBUS_EPOCHS", "7",
            "TENSORBUS_MASTER_ADDR", "server-0",
            "TENSORBUS_TRUSTED_NETWORK", "true",
            "TENSORBUS_CPU_FALLBACK", "true",
            "PATH", "/bin");
    WorkerOptions options =
        new ConfigFile(Role.TRAINER, Programs.all(), variables)
            .read(List.of("-conf", file.toString()));
    assertThat(options.worldSize()).isEqualTo(4);
    assertThat(options.epochs()).isEqualTo(7);
    assertThat(options.lr()).isEqualTo(0.5);
    assertThat(options.masterAddr()).isEqualTo("server-0");
    assertThat(options.isOn(Setting.CPU_FALLBACK)).isTrue();
  }

  @Test
  void aVariableThatWillNotDoIsNamed() {
    Map<String, String> variables = Map.of("TENSORBUS_EPOCHS", "many");
    assertThatThrownBy(
            () ->
                new ConfigFile(Role.TRAINER, Programs.all(), variables)
                    .read(List.of("-conf", "{\"worldSize\": 3}")))
        .hasMessage("-conf: TENSORBUS_EPOCHS is many; expected a whole number from 1 to 1000000");
    Map<String, String> unknown = Map.of("TENSORBUS_PROGRAM", "mnits");
    assertThatThrownBy(
            () ->
                new ConfigFile(Role.TRAINER, Programs.all(), unknown)
                    .read(List.of("-conf", "{\"worldSize\": 3}")))
        .hasMessageContaining("unknown program \"mnits\"");
  }

  private static WorkerOptions read(Role role, Path file) {
    return config(role).read(List.of("-conf", file.toString()));
  }

  private static ConfigFile config(Role role) {
    return new ConfigFile(role, Programs.all(), Map.of());
  }
}
