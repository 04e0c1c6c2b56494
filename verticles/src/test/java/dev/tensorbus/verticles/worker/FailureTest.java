// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.UsageException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FailureTest {
  @Test
  void whatAnotherThreadFoundOutIsToldAsItsOwn() {
    CompletionException found = new CompletionException(new UsageException("no images in ."));
    assertThat(Failure.line(found)).isEqualTo("error: no images in .");
    assertThat(Failure.exitCode(found)).isEqualTo(Failure.USAGE);
    assertThat(Failure.exitCode(new CompletionException(new IllegalStateException("lost"))))
        .isEqualTo(Failure.FAILED);
  }
}
