// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.worker.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
  private static final Program MNIST =
      new Program(
          "mnist",
          "digits",
          ProgramSettings.with(Setting.DATA, Setting.EPOCHS, Setting.LR),
          MainTest::refuseData,
          new RoleBinding(Role.PARAMETER_SERVER, MainTest::refuseToStart),
          new RoleBinding(Role.TRAINER, MainTest::refuseToStart));

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          trian mnist                    | unknown argument trian, did you mean train?; see tensorbus --help
          train                          | missing PROGRAM; expected one of: mnist; for example tensorbus train mnist
          train mnits                    | unknown argument mnits, did you mean mnist?; see tensorbus train --help
          train mnist more               | unknown argument more; see tensorbus train mnist --help
          train mnist --word-size 2      | unknown option --word-size, did you mean --world-size?; see tensorbus train mnist --help
          train mnist --seed             | --seed needs a value S; see tensorbus train mnist --help
          train mnist --seed 1 --seed 2  | --seed is given twice; see tensorbus train mnist --help
          train mnist --world-size 1     | --world-size is 1; expected a whole number from 2 to 1024
          train mnist --world-size two   | --world-size is two; expected a whole number from 2 to 1024
          train mnist --rank 3           | --rank is 3, outside a world of 3 workers; expected 0 to 2
          train mnist --lr 0             | --lr is 0.0; expected a number above 0
          train mnist --epochs 1.5       | --epochs is 1.5; expected a whole number from 1 to 1000000
          train mnist --data no/such     | --data is no/such; expected an existing folder
          train mnist --data .           | . holds no images
          train mnist --tensorboard pom.xml | --tensorboard: folder pom.xml cannot be created (java.nio.file.FileAlreadyExistsException: pom.xml); use another folder
          check                          | missing MODEL; expected one of: mnist, rnn; for example tensorbus check mnist
          export                         | missing MODEL; expected one of: cartpole, mnist, rnn; for example tensorbus export mnist
          status --master-port 0         | --master-port is 0; expected a whole number from 1 to 65535
          status --timeout 0             | --timeout is 0; expected a whole number from 1 to 86400
          run --on-loss wait my.Main     | --on-loss is wait; expected stop or continue
          run --timeout 0 my.Main        | --timeout is 0; expected a whole number from 1 to 86400
          run --heartbeat-timeout 1 my.M | --heartbeat-timeout is 1; expected a whole number from 2 to 86400
          train mnist --on-loss wait     | --on-loss is wait; expected stop or continue
          check mnits                    | unknown MODEL mnits; expected one of: mnist, rnn; for example tensorbus check mnist
          """)
  void aMistakeIsAnsweredInOneLine(String arguments, String answer) {
    assertThat(execute(arguments)).isEqualTo(2);
    assertThat(err.toString()).isEqualToIgnoringNewLines("error: " + answer + "\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void withoutACommandItShowsWhatOneCanDo() {
    assertThat(execute("")).isZero();
    assertThat(out.toString())
        .startsWith("Distributed training on the JVM.")
        .contains("  tensorbus train mnist  ", "  tensorbus run --workers 3 my.Main  ")
        .satisfies(text -> assertThat(text.lines().count()).isLessThanOrEqualTo(12));
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aPortThatSomeoneHasIsRefused() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      int port = socket.getLocalPort();
      assertThat(execute("train mnist --master-port " + port)).isEqualTo(1);
      assertThat(err.toString())
          .startsWith("error: rank 0 cannot listen on 127.0.0.1:" + port + ": ")
          .endsWith("; use another --master-port" + System.lineSeparator())
          .hasLineCount(1);
    }
  }

  @Test
  void helpNamesEveryProgram() {
    assertThat(execute("train --help")).isZero();
    assertThat(out.toString()).containsPattern("mnist +Trains digits").contains("Examples:");
  }

  @Test
  void aProgramsHelpNamesEverySettingOnce() {
    assertThat(execute("train mnist --help")).isZero();
    assertThat(out.toString())
        .containsOnlyOnce("--world-size=")
        .contains(
            "--master-addr=",
            "--timeout=",
            "--tensorboard=",
            "--log=",
            "learning rate (default: 0.03)")
        .doesNotContain("--program");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --servers 2 --resume                            | --resume is given without a folder and without --checkpoint;
          --servers 2 --resume no/such                    | --resume is no/such; expected an existing folder
          --servers 2 --resume --checkpoint no/such       | --resume is given, but the folder no/such does not exist;
          --servers 2 --checkpoint no/such --resume       | --resume is given, but the folder no/such does not exist;
          --resume                                        | --resume is given without a folder and without --checkpoint;
          """)
  void aRunThatCannotBeResumedIsNamedBeforeAnythingStarts(String arguments, String answer) {
    for (String program : List.of("mnist", "rnn")) {
      assertThat(execute(Programs.all(), "train " + program + " " + arguments)).isEqualTo(2);
    }
    assertThat(err.toString().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("error: " + answer));
  }

  private static void refuseData(WorkerOptions options) {
    options
        .data()
        .ifPresent(
            folder -> {
              throw new UsageException(folder + " holds no images");
            });
  }

  private static RpcWorker refuseToStart(WorkerOptions options, Progress progress) {
    throw new AssertionError("nothing is to start");
  }

  private int execute(String arguments) {
    return execute(List.of(MNIST), arguments);
  }

  private int execute(List<Program> programs, String arguments) {
    CommandLine commandLine = Main.commandLine(programs);
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return commandLine.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
  }
}
