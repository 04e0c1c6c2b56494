// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.Listener;
import dev.tensorbus.rpc.transport.listen.SecretHandshake;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The meeting point: the address at which new workers join a world. If a world has lost its rank
/// 0, its members knock at this address. A starting rank 0 first listens for knocks, so that it
/// joins the live world instead of founding a second one.
///
/// A knock consists of `tensorbus HOST:PORT` and a newline; the answer is a newline.
public final class MeetingPoint {
  private static final System.Logger LOG = System.getLogger(MeetingPoint.class.getName());

  /// How long a starting rank 0 listens: several times the interval between knocks.
  public static final Duration LISTENING = Duration.ofMillis(600);

  private static final String GREETING = "tensorbus ";
  private static final int MOST = 128;
  private static final int CONNECT_MILLIS = 1000;
  private static final int ANSWER_MILLIS = 2000;
  private static final int LOOK_MILLIS = 200;

  private static final Duration MEMBER_LIMIT = Duration.ofSeconds(3);

  /// The outcome of a knock.
  enum There {
    /// Nobody listens.
    NOBODY,
    /// A starting rank 0, which now knows the live world.
    LISTENER,
    /// A process that did not answer: a rank 0 that has founded a world, or another program.
    STRANGER
  }

  private MeetingPoint() {}

  /// Listens for knocks. Returns the address at which the live world can be joined, or null if
  /// nobody knocks. Blocks for `listening`, or up to three seconds longer if another process
  /// connects. A knock is trusted only if it names a Hazelcast member on the host from which it
  /// comes, so that nobody can direct rank 0 to a third host.
  ///
  /// @param gate recognizes members
  /// @param isTranslated whether NAT gives members addresses that differ from those of their hosts;
  ///     if so, the host of a knock is not checked
  /// @throws IOException if the address is taken
  public static @Nullable String listen(
      MemberGate gate, InetSocketAddress place, boolean isTranslated, Duration listening)
      throws IOException {
    Deadline end = Deadline.after(listening, NanoClock.SYSTEM);
    Deadline last = Deadline.after(listening.plus(MEMBER_LIMIT), NanoClock.SYSTEM);
    try (ServerSocket door = Listener.open(place)) {
      while (!end.isOver()) {
        door.setSoTimeout((int) Math.max(1, end.left().toMillis()));
        Knock knock = hear(door, gate.firstBytes());
        if (knock.said().startsWith(GREETING)) {
          String living = knock.said().substring(GREETING.length());
          if (isMember(gate, living, knock.from(), isTranslated)) {
            LOG.log(Level.INFO, "rank 0 joins the live world of {0}", living);
            return living;
          }
          LOG.log(
              Level.WARNING,
              "{0} announces a live world at {1}, where it has no member; ignored",
              knock.from(),
              living);
          end = Deadline.after(listening, NanoClock.SYSTEM);
          end = end.nanosLeft() < last.nanosLeft() ? end : last;
        }
        if (knock.said().equals(gate.firstBytes())) {
          // a member that still considers rank 0 alive has reconnected
          end = last;
        }
      }
      return null;
    }
  }

  /// Returns whether a Hazelcast member listens at an address on the host from which the knock
  /// came.
  private static boolean isMember(
      MemberGate gate, String living, @Nullable InetAddress from, boolean isTranslated) {
    try {
      InetSocketAddress address = Addresses.parse(living);
      return (isTranslated || address.getAddress().equals(from)) && hasMember(gate, address);
    } catch (RuntimeException e) { // it is not an address
      return false;
    }
  }

  /// Returns whether a Hazelcast member that passes the gate listens at an address.
  static boolean hasMember(MemberGate gate, InetSocketAddress address) {
    try (Socket socket = connect(address)) {
      limit(socket, ANSWER_MILLIS);
      return gate.isMember(socket);
    } catch (IOException e) {
      return false;
    }
  }

  /// Checks that no member of another user's world listens at an address, if members know a secret.
  /// Blocks for six seconds at most. Otherwise checks nothing: a rank 0 that starts would take
  /// this process for a member of a live world, and wait for its knock.
  ///
  /// @throws SecretHandshake.StrangerException if one does
  public static void requireNoStranger(MemberGate gate, InetSocketAddress address)
      throws SecretHandshake.StrangerException {
    if (!(gate instanceof MemberGate.Shared)) {
      return;
    }
    try {
      ask(gate, address);
    } catch (SecretHandshake.StrangerException e) { // or a member that was just ending
      LOG.log(Level.DEBUG, "asking again at {0}: {1}", address, e);
      ask(gate, address);
    }
  }

  private static void ask(MemberGate gate, InetSocketAddress address)
      throws SecretHandshake.StrangerException {
    try (Socket socket = connect(address)) {
      limit(socket, ANSWER_MILLIS);
      gate.isMember(socket);
    } catch (SecretHandshake.StrangerException e) {
      throw e;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "nobody answers at {0}: {1}", address, e);
    }
  }

  /// Closes a socket after some time, whatever its other end does: bytes that arrive slowly do not
  /// extend it, as they would extend a socket's timeout.
  private static void limit(Socket socket, int millis) {
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(() -> close(socket));
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot close a connection", e);
    }
  }

  /// A string that a process sent, and the address of that process. The string is empty if nobody
  /// connected, or if a process only checked whether somebody listens.
  private record Knock(String said, @Nullable InetAddress from) {}

  private static Knock hear(ServerSocket door, String member) {
    try (Socket visitor = door.accept()) {
      visitor.setSoTimeout(LOOK_MILLIS);
      limit(visitor, CONNECT_MILLIS);
      String said = line(visitor, member);
      if (said.startsWith(GREETING)) {
        visitor.getOutputStream().write('\n');
      }
      return new Knock(said, visitor.getInetAddress());
    } catch (IOException e) {
      return new Knock("", null);
    }
  }

  /// Reads a complete knock, but only the first bytes of anything else, so that others who knock do
  /// not have to wait.
  ///
  /// @param member the first bytes of a member's connection
  private static String line(Socket from, String member) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next; line.length() < MOST && (next = from.getInputStream().read()) >= 0; ) {
      if (next == '\n') {
        return line.toString();
      }
      line.append((char) next);
      boolean isOurs = GREETING.startsWith(line.toString()) || line.indexOf(GREETING) == 0;
      if (!isOurs && line.length() >= member.length()) {
        return line.toString();
      }
    }
    return "";
  }

  /// Returns whether somebody listens at the address. Blocks for a second at most.
  public static boolean isAttended(InetSocketAddress place) {
    try (Socket _ = connect(place)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Connects to a port that may have no listener. Fails if the operating system assigns the same
  /// port to this end: the socket would connect to itself (the simultaneous open of RFC 9293) and
  /// block rank 0's port for a minute.
  static Socket connect(InetSocketAddress place) throws IOException {
    Socket socket = new Socket();
    try {
      socket.bind(null);
      if (socket.getLocalPort() == place.getPort()) {
        throw new ConnectException("no process listens on a port that was assigned to this end");
      }
      socket.connect(place, CONNECT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// Tells a starting rank 0 where the live world can be joined. Blocks for three seconds at most.
  static There knock(InetSocketAddress place, String living) {
    try (Socket socket = connect(place)) {
      return tell(socket, living) ? There.LISTENER : There.STRANGER;
    } catch (IOException e) {
      return There.NOBODY;
    }
  }

  private static boolean tell(Socket socket, String living) {
    try {
      socket.setSoTimeout(ANSWER_MILLIS);
      OutputStream out = socket.getOutputStream();
      out.write((GREETING + living + "\n").getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() == '\n';
    } catch (IOException e) {
      return false;
    }
  }
}
