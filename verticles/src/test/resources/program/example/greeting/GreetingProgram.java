// SPDX-License-Identifier: Apache-2.0
package example.greeting;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramProvider;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.WorkerOptions;

/// `tensorbus train greeting`: the trainers ask the server whom to greet.
public final class GreetingProgram implements ProgramProvider {
  private static final Setting WORD =
      new Setting("word", "WORD", new SettingType.Word("a word"), "hello", "how to greet");

  public GreetingProgram() {}

  @Override
  public Program program() {
    return new Program(
        "greeting",
        "nothing, but greets",
        ProgramSettings.with(WORD),
        options -> {},
        new RoleBinding(
            Role.PARAMETER_SERVER,
            (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options)),
        new RoleBinding(Role.TRAINER, Greeter::new));
  }

  @Remote
  static String server() {
    return Rpc.current().self().name();
  }

  private static final class Greeter extends RpcWorker {
    private final String word;
    private final Progress progress;

    Greeter(WorkerOptions options, Progress progress) {
      super(Role.TRAINER, options);
      this.word = options.word(WORD);
      this.progress = progress;
    }

    @Override
    protected void work(Rpc rpc) {
      String server = rpc.rpcSync("parameter-server", GreetingProgram::server);
      progress.say(rpc.self().name() + " says " + word + " to " + server);
    }
  }
}
