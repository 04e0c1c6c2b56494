// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.transport.listen.Addresses;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MeetingPointTest {
  private static final int LOOKS = 30_000;
  private static final MemberGate GATE = new MemberGate.Open();

  private final InetSocketAddress place =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.find());

  /// A member that lives, as far as its first bytes tell.
  private ServerSocket member;

  private String living;

  @BeforeEach
  void openMember() throws IOException {
    member = answering("HZC");
    living = Addresses.text(place.getAddress(), member.getLocalPort());
  }

  @AfterEach
  void closeMember() throws IOException {
    member.close();
  }

  private ServerSocket answering(String bytes) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, place.getAddress());
    Thread.ofVirtual().start(() -> answerAll(server, bytes));
    return server;
  }

  private static void answerAll(ServerSocket server, String bytes) {
    while (!server.isClosed()) {
      try (Socket visitor = server.accept()) {
        visitor.getInputStream().readNBytes(bytes.length());
        visitor.getOutputStream().write(bytes.getBytes());
      } catch (IOException e) {
        continue; // the visitor, or the test, has ended
      }
    }
  }

  private CompletableFuture<String> listening() {
    return aside(() -> MeetingPoint.listen(GATE, place, false, World.PATIENCE));
  }

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

  private void knockUntilHeard(String address) {
    World.eventually(() -> MeetingPoint.knock(place, address) == MeetingPoint.There.LISTENER);
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

  /// A socket that connects to a free local port can connect to itself, which happens within this
  /// many attempts. If another test is given the port in the meantime, the test chooses a new one.
  @Test
  void aFreePortIsNotAttendedHoweverOftenOneLooksAndStaysFree() throws IOException {
    InetSocketAddress free = freePort();
    for (int look = 0; look < LOOKS; look++) {
      if (MeetingPoint.isAttended(free)) {
        assertThat(isTaken(free)).as("someone else listens at " + free).isTrue();
        free = freePort();
      }
    }
    if (isTaken(free)) {
      assertThat(MeetingPoint.isAttended(free)).as("someone else listens at " + free).isTrue();
    }
  }

  private InetSocketAddress freePort() throws IOException {
    try (ServerSocket given = new ServerSocket(0, 1, place.getAddress())) {
      return new InetSocketAddress(place.getAddress(), given.getLocalPort());
    }
  }

  private static boolean isTaken(InetSocketAddress address) throws IOException {
    try (ServerSocket door = new ServerSocket()) {
      door.bind(address);
      return false;
    } catch (BindException e) {
      return true;
    }
  }

  @Test
  void aRankZeroThatStartsHearsOfTheWorldThatLives() {
    CompletableFuture<String> heard = listening();
    knockUntilHeard(living);
    assertThat(heard.join()).isEqualTo(living);
  }

  @Test
  void whoeverComesWithoutAKnockIsPassedOver() {
    CompletableFuture<String> heard = listening();
    look("");
    look("HZC and so on\n");
    look("tensorbus " + "x".repeat(1000));
    knockUntilHeard(living);
    assertThat(heard.join()).isEqualTo(living);
  }

  /// The second is a server of another kind, and the third lies on another host.
  @Test
  void aRankZeroFollowsNobodyToWhatIsNoMemberOfTheHostThatKnocks() throws IOException {
    try (ServerSocket other = answering("220")) {
      CompletableFuture<String> heard = listening();
      knockUntilHeard("no address");
      knockUntilHeard(Addresses.text(place.getAddress(), other.getLocalPort()));
      knockUntilHeard(Addresses.text("127.0.0.2", member.getLocalPort()));
      knockUntilHeard(living);
      assertThat(heard.join()).isEqualTo(living);
    }
  }

  /// A rank 0 that starts waits three seconds longer if it takes somebody for a member.
  @Test
  void whoeverJoinsAnOpenWorldDoesNotDelayItsRankZero() throws IOException {
    try (ServerSocket door = new ServerSocket()) {
      door.bind(place);
      MeetingPoint.requireNoStranger(GATE, place);
      door.setSoTimeout(1);
      assertThatThrownBy(door::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void whereNobodyKnocksThereIsNoWorld() throws IOException {
    assertThat(MeetingPoint.listen(GATE, place, false, Duration.ofMillis(10))).isNull();
  }

  @Test
  void anAddressThatIsTakenIsAnError() throws IOException {
    try (ServerSocket other = new ServerSocket()) {
      other.bind(place);
      assertThatThrownBy(() -> MeetingPoint.listen(GATE, place, false, Duration.ofMillis(10)))
          .isInstanceOf(BindException.class);
    }
  }

  @Test
  void whoKnocksTellsNobodyFromAStranger() throws IOException {
    assertThat(MeetingPoint.knock(place, living)).isEqualTo(MeetingPoint.There.NOBODY);
    try (ServerSocket silent = new ServerSocket()) {
      silent.bind(place);
      assertThat(MeetingPoint.knock(place, living)).isEqualTo(MeetingPoint.There.STRANGER);
    }
  }
}
