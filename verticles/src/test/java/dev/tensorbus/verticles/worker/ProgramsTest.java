// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramProvider;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.batch.BatchProgram;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

class ProgramsTest {
  private record Provider(String name) implements ProgramProvider {
    @Override
    public Program program() {
      Program like = BatchProgram.PROGRAM;
      return new Program(
          name, like.summary(), like.settings(), like.check(), like.first(), like.others());
    }
  }

  @Test
  void programsOfUsersFollowOurs() {
    List<Program> all = Programs.with(List.of(new Provider("mine"), new Provider("yours")));
    assertThat(Programs.names(all)).isEqualTo("mnist, batch, cartpole, rnn, mine, yours");
  }

  @Test
  void aNameThatAnotherHasIsRefused() {
    assertThatThrownBy(() -> Programs.with(List.of(new Provider("mnist"))))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "%s provides a program \"mnist\", but that name is taken; choose another name",
            Provider.class.getName());
    assertThatThrownBy(() -> Programs.with(List.of(new Provider("a"), new Provider("a"))))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("provides a program \"a\", but that name is taken");
  }

  @Test
  void aProviderThatDoesNotLoadIsNamed() {
    Iterable<ProgramProvider> broken =
        () -> {
          throw new ServiceConfigurationError("ProgramProvider: Provider my.Mine not found");
        };
    assertThatThrownBy(() -> Programs.with(broken))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "a ProgramProvider could not be loaded: ProgramProvider: Provider my.Mine not found");
  }
}
