// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.optim.server.consistency.Consistency.Ssp;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSettingsTest {
  private static final ProgramSettings SETTINGS =
      ProgramSettings.withServers(CheckpointSettings.RESUME);

  private static WorkerOptions options(String json) {
    return WorkerOptions.of(SETTINGS, new JsonObject(json), Setting::option);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          {"replicas": 1}                  | --replicas is given without --servers; set --servers to the number of parameter servers, or leave --replicas out
          {"witness": true}                | --witness is given without --servers; set --servers to the number of parameter servers, or leave --witness out
          {"consistency": "bsp"}           | --consistency is given without --servers; set --servers to the number of parameter servers, or leave --consistency out
          {"restarts": 2}                  | --restarts is given without --servers; set --servers to the number of parameter servers, or leave --restarts out
          {"role": "trainer"}              | --role is given without --servers; set --servers to the number of parameter servers, or leave --role out
          {"checkpoint": "run"}            | --checkpoint is given without --servers; set --servers to the number of parameter servers, or leave --checkpoint out
          {"servers": 2, "checkpointEvery": "5s"} | --checkpoint-every is given without --checkpoint; set --checkpoint to a folder, or leave --checkpoint-every out
          {"servers": 2, "checkpoint": "run", "checkpointEvery": "5"} | --checkpoint-every is 5; expected a time above 0 such as 30s, 5m or 1h30m
          {"servers": 2, "checkpoint": "run", "checkpointEvery": "-5s"} | --checkpoint-every is -5s; expected a time above 0 such as 30s, 5m or 1h30m
          {"servers": 2, "resume": ""}     | --resume is given without a folder and without --checkpoint; set --checkpoint to the folder of the run, with --servers, or give --resume the folder of a saved one
          {"resume": ""}                   | --resume is given without a folder and without --checkpoint; set --checkpoint to the folder of the run, with --servers, or give --resume the folder of a saved one
          {"servers": 2, "resume": "none"} | --resume is none; expected an existing folder
          {"servers": 2, "role": "server"} | --role is server; expected witness or trainer
          {"servers": 0}                   | --servers is 0; expected a whole number from 1 to 64
          {"servers": 2, "replicas": 2}    | --replicas is 2 with --servers 2; expected 0 to 1, since each replica is on a server of its own: add servers, or give fewer replicas
          {"servers": 1, "witness": true}  | --witness is given with --servers 1; a witness helps two servers or more to agree: add servers, or leave --witness out
          {"servers": 3, "worldSize": 3}   | --world-size is 3 with 3 servers; expected at least 4, for one trainer or more
          {"servers": 2, "witness": true, "worldSize": 3} | --world-size is 3 with 2 servers and a witness; expected at least 4, for one trainer or more
          {"servers": 2, "consistency": "bsp:2"} | --consistency is bsp:2 with 2 trainers; expected at least 3: set --world-size to 5
          """)
  void aMistakeIsAnsweredInOneLine(String json, String answer) {
    assertThatThrownBy(() -> ServerSettings.check(options(json)))
        .isInstanceOf(UsageException.class)
        .hasMessage(answer);
  }

  @Test
  void aConsistencyThatDoesNotParseIsNamedWithAllThatDo() {
    assertThatThrownBy(() -> options("{'servers': 2, 'consistency': 'sps:4'}".replace('\'', '"')))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--consistency is sps:4; expected bsp, bsp:B (B backup workers)");
  }

  @Test
  void theDefaultWorldHasTwoTrainers() {
    WorkerOptions options = options("{\"servers\": 2, \"witness\": true, \"replicas\": 1}");
    ServerSettings.check(options);
    assertThat(options.worldSize()).isEqualTo(5);
    assertThat(ServerSettings.server(options))
        .isEqualTo(new ServerOptions(List.of("server1", "server2"), List.of("witness"), 1));
    assertThat(ServerSettings.store(options).trainers()).isEqualTo(2);
    assertThat(Ranks.of(options).names(Role.TRAINER)).containsExactly("trainer1", "trainer2");
    assertThat(ServerSettings.majority(options)).isEqualTo(2);
  }

  @Test
  void threeServersHaveABackupAndFewerHaveNone() {
    assertThat(ServerSettings.server(options("{\"servers\": 3}")).backups()).isEqualTo(1);
    assertThat(ServerSettings.server(options("{\"servers\": 2}")).backups()).isZero();
  }

  @Test
  void twoServersWithAWitnessHaveABackup() {
    WorkerOptions options = options("{\"servers\": 2, \"witness\": true}");
    ServerSettings.check(options);
    assertThat(ServerSettings.server(options).backups()).isEqualTo(1);
  }

  @Test
  void trainersAreBulkSynchronousUnlessTheyAreToldOtherwise() {
    StoreOptions usual = ServerSettings.store(options("{\"servers\": 1}"));
    StoreOptions stale =
        ServerSettings.store(options("{\"servers\": 1, \"consistency\": \"ssp:4\"}"));
    assertThat(usual.consistency()).isEqualTo(new Bsp(0));
    assertThat(stale.consistency()).isEqualTo(new Ssp(4));
    assertThat(usual.servers()).containsExactly("server1");
  }

  @Test
  void withoutServersNothingChanges() {
    WorkerOptions options = options("{}");
    ServerSettings.check(options);
    assertThat(options.worldSize()).isEqualTo(3);
    assertThat(Ranks.of(options).names(Role.PARAMETER_SERVER)).containsExactly("parameter-server");
    assertThat(Ranks.of(options).names(Role.TRAINER)).containsExactly("trainer1", "trainer2");
    assertThat(Ranks.of(options).names(Role.WITNESS)).isEmpty();
  }
}
