// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.Listener;
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
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The address where the workers of a world meet, while nobody is there. The members of a world
/// that has lost its rank 0 knock there; a rank 0 that starts listens for that first, since it
/// shall join the world that lives and found none beside it.
///
/// A visitor says `tensorbus HOST:PORT`, a newline, and is answered with a newline.
public final class MeetingPoint {
  private static final System.Logger LOG = System.getLogger(MeetingPoint.class.getName());

  /// Several times as long as between two knocks.
  public static final Duration LISTENING = Duration.ofMillis(600);

  private static final String GREETING = "tensorbus ";
  private static final int MOST = 128;
  private static final int CONNECT_MILLIS = 1000;
  private static final int ANSWER_MILLIS = 2000;
  private static final int LOOK_MILLIS = 200;

  /// How Hazelcast begins, that takes rank 0 for a member which it has lost the connection to.
  private static final String MEMBER = "HZC";

  private static final Duration MEMBER_LIMIT = Duration.ofSeconds(3);

  /// The answer to a knock: who was there.
  enum There {
    /// Nobody listens.
    NOBODY,
    /// A rank 0 that starts, and now knows of the world that lives.
    LISTENER,
    /// Something that does not answer: a rank 0 that has founded a world, or another program.
    STRANGER
  }

  private MeetingPoint() {}

  /// Where the world that lives can be joined, or null if nobody knocks. Blocks for as long as it
  /// listens. A knock is believed if it names a member of Hazelcast on the host that it comes from;
  /// nobody can send a rank 0 to a third host.
  ///
  /// @param isTranslated whether members have other addresses for each other than on their hosts
  /// @throws IOException if the address is taken
  public static @Nullable String listen(
      InetSocketAddress place, boolean isTranslated, Duration listening) throws IOException {
    Deadline end = Deadline.after(listening, NanoClock.SYSTEM);
    Deadline last = Deadline.after(listening.plus(MEMBER_LIMIT), NanoClock.SYSTEM);
    try (ServerSocket door = Listener.open(place)) {
      while (!end.isOver()) {
        door.setSoTimeout((int) Math.max(1, end.left().toMillis()));
        Knock knock = hear(door);
        if (knock.said().startsWith(GREETING)) {
          String living = knock.said().substring(GREETING.length());
          if (isMember(living, knock.from(), isTranslated)) {
            LOG.log(Level.INFO, "rank 0 joins the world of {0}, which lives", living);
            return living;
          }
          LOG.log(
              Level.WARNING,
              "{0} says that a world lives at {1}, where no member of it is; not followed",
              knock.from(),
              living);
          end = Deadline.after(listening, NanoClock.SYSTEM);
          end = end.nanosLeft() < last.nanosLeft() ? end : last;
        }
        if (knock.said().equals(MEMBER)) { // it has yet to notice that rank 0 was gone
          end = last;
        }
      }
      return null;
    }
  }

  /// Whether a member of Hazelcast listens at an address, on the host that names it.
  private static boolean isMember(String living, @Nullable InetAddress from, boolean isTranslated) {
    try {
      InetSocketAddress address = Addresses.parse(living);
      return (isTranslated || address.getAddress().equals(from)) && speaksAsMember(address);
    } catch (RuntimeException e) { // it is no address
      return false;
    }
  }

  /// Hazelcast answers the first bytes of a member with its own.
  private static boolean speaksAsMember(InetSocketAddress address) {
    byte[] first = MEMBER.getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = connect(address)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(first);
      return Arrays.equals(first, socket.getInputStream().readNBytes(first.length));
    } catch (IOException e) {
      return false;
    }
  }

  /// What a visitor said and where it is. It said nothing if nobody came, or if it only looks
  /// whether somebody is there.
  private record Knock(String said, @Nullable InetAddress from) {}

  private static Knock hear(ServerSocket door) {
    try (Socket visitor = door.accept()) {
      visitor.setSoTimeout(LOOK_MILLIS);
      String said = line(visitor);
      if (said.startsWith(GREETING)) {
        visitor.getOutputStream().write('\n');
      }
      return new Knock(said, visitor.getInetAddress());
    } catch (IOException e) {
      return new Knock("", null);
    }
  }

  /// A whole line of ours, or the first bytes of what is none, so that one who knocks need not
  /// wait.
  private static String line(Socket from) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next; line.length() < MOST && (next = from.getInputStream().read()) >= 0; ) {
      if (next == '\n') {
        return line.toString();
      }
      line.append((char) next);
      boolean isOurs = GREETING.startsWith(line.toString()) || line.indexOf(GREETING) == 0;
      if (!isOurs && line.length() >= MEMBER.length()) {
        return line.toString();
      }
    }
    return "";
  }

  /// Whether somebody listens there. Blocks for a second at most.
  public static boolean isAttended(InetSocketAddress place) {
    try (Socket _ = connect(place)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Connects to a port that may be free. The system may give that very port to this end of the
  /// connection, which then leads to itself (the simultaneous open of RFC 9293) and keeps rank 0
  /// from its port for a minute.
  private static Socket connect(InetSocketAddress place) throws IOException {
    Socket socket = new Socket();
    try {
      socket.bind(null);
      if (socket.getLocalPort() == place.getPort()) {
        throw new ConnectException("nobody listens on a port that this end was given");
      }
      socket.connect(place, CONNECT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /// Says where the world that lives can be joined. Blocks for a second at most.
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
