// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorStreamTest {
  @ParameterizedTest
  @CsvSource({
    "'WARNING: Using incubator modules: jdk.incubator.vector\nfirst\n', 'first\n'",
    "'WARNING: Using incubator modules: jdk.incubator.vector\r\n', ''",
    "'WARNING: Using incubator modules: jdk.incubator.vector, other\n',"
        + "'WARNING: Using incubator modules: jdk.incubator.vector, other\n'",
    "'one\n\ntwo, unfinished é', 'one\n\ntwo, unfinished é'",
  })
  void everythingPassesButTheLineAboutIncubatorModules(String said, String shown)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ErrorStream.copy(new ByteArrayInputStream(said.getBytes(UTF_8)), out);
    assertThat(out.toString(UTF_8)).isEqualTo(shown);
  }
}
