// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.FreePort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class MeetingPointTest {
  private static final String LIVING = "10.0.0.1:5701";
  private static final int LOOKS = 30_000;

  private final InetSocketAddress place =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find());

  private static <T> CompletableFuture<T> aside(Callable<T> work) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return work.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  private void knockUntilHeard() {
    World.eventually(() -> MeetingPoint.knock(place, LIVING) == MeetingPoint.There.LISTENER);
  }

  private void look(String say) {
    World.eventually(
        () -> {
          try (Socket visitor = new Socket(place.getAddress(), place.getPort())) {
            visitor.getOutputStream().write(say.getBytes());
            return true;
          } catch (IOException e) {
            return false; // nobody listens yet
          }
        });
  }

  /// A connection to a free port may lead to itself: often enough in so many that this fails.
  @Test
  void aFreePortIsNotAttendedHoweverOftenOneLooksAndStaysFree() throws IOException {
    InetSocketAddress free;
    try (ServerSocket given = new ServerSocket(0, 1, place.getAddress())) {
      free = new InetSocketAddress(place.getAddress(), given.getLocalPort());
    }
    for (int look = 0; look < LOOKS; look++) {
      assertThat(MeetingPoint.isAttended(free)).isFalse();
    }
    try (ServerSocket door = new ServerSocket()) {
      door.bind(free);
    }
  }

  @Test
  void aRankZeroThatStartsHearsOfTheWorldThatLives() {
    CompletableFuture<String> heard = aside(() -> MeetingPoint.listen(place, World.PATIENCE));
    knockUntilHeard();
    assertThat(heard.join()).isEqualTo(LIVING);
  }

  @Test
  void whoeverComesWithoutAKnockIsPassedOver() {
    CompletableFuture<String> heard = aside(() -> MeetingPoint.listen(place, World.PATIENCE));
    look("");
    look("HZC and so on\n");
    look("tensorbus " + "x".repeat(1000));
    knockUntilHeard();
    assertThat(heard.join()).isEqualTo(LIVING);
  }

  @Test
  void whereNobodyKnocksThereIsNoWorld() throws IOException {
    assertThat(MeetingPoint.listen(place, Duration.ofMillis(10))).isNull();
  }

  @Test
  void anAddressThatIsTakenIsAnError() throws IOException {
    try (ServerSocket other = new ServerSocket()) {
      other.bind(place);
      assertThatThrownBy(() -> MeetingPoint.listen(place, Duration.ofMillis(10)))
          .isInstanceOf(BindException.class);
    }
  }

  @Test
  void whoKnocksTellsNobodyFromAStranger() throws IOException {
    assertThat(MeetingPoint.knock(place, LIVING)).isEqualTo(MeetingPoint.There.NOBODY);
    try (ServerSocket silent = new ServerSocket()) {
      silent.bind(place);
      assertThat(MeetingPoint.knock(place, LIVING)).isEqualTo(MeetingPoint.There.STRANGER);
    }
  }
}
