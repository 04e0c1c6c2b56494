// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.tensorbus.grpc.v1.TensorbusProto;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessTokenTest {
  private static final Set<Right> ALL = Set.of(Right.values());

  @Test
  void aLineIsATokenAndItsRights() {
    assertThat(AccessToken.parse("# who\n\nevery1\nreader  pull predict\n"))
        .containsExactly(
            new AccessToken("every1", ALL),
            new AccessToken("reader", Set.of(Right.PULL, Right.PREDICT)));
  }

  @Test
  void anUnknownRightIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AccessToken.parse("secret pull write"))
        .withMessage(
            "the right \"write\" is unknown; expected some of [call, predict, pull, push, watch]");
  }

  @Test
  void aFileWithoutATokenIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AccessToken.parse("# nothing\n"))
        .withMessage(
            "there is no token; expected lines of a token and its rights: [call, predict, pull,"
                + " push, watch]");
  }

  @Test
  void aSecretIsNotShown() {
    assertThat(new AccessToken("s3cret", Set.of(Right.PUSH))).hasToString("push");
  }

  @Test
  void eachMethodOfTheServiceNeedsARight() {
    ServiceDescriptor service = TensorbusProto.getDescriptor().findServiceByName("Tensorbus");
    assertThat(service.getMethods())
        .isNotEmpty()
        .allSatisfy(
            method ->
                assertThat(Right.of("/" + service.getFullName() + "/" + method.getName()))
                    .isNotNull());
    assertThat(Right.of("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")).isNull();
  }
}
