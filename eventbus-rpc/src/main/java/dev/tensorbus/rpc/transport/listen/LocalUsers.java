// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Tells which user of this machine has opened a connection, from the tables of connections of the
/// Linux kernel (proc_pid_net(5)).
final class LocalUsers {
  private static final System.Logger LOG = System.getLogger(LocalUsers.class.getName());
  private static final Path TABLES = Path.of("/proc/self/net");
  private static final int ROOT = 0;

  // The columns of a table.
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int USER = 7;
  private static final int INODE = 9;

  /// The inode of a connection that no process has any more. The kernel shows it as root's.
  private static final String NO_INODE = "0";

  private LocalUsers() {}

  /// Returns whether a connection may come from a process of this user: false only if it comes from
  /// a process of another user of this machine, except for root. Always true on operating systems
  /// without the tables.
  ///
  /// @param connector the address of the end that has opened the connection
  /// @param acceptor the address of this end
  static boolean mayBeOwn(SocketAddress connector, SocketAddress acceptor) {
    if (!Files.isDirectory(TABLES)) {
      return true;
    }
    try {
      InetAddress from = InetAddress.getByName(connector.hostAddress());
      if (!Addresses.isHere(from) && !Addresses.isLoopback(acceptor.hostAddress())) {
        return true;
      }
      int own = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      Set<Integer> users = users(entry(connector), entry(acceptor));
      return !users.isEmpty() && users.stream().allMatch(user -> user == own || user == ROOT);
    } catch (IOException | UncheckedIOException e) {
      LOG.log(Level.WARNING, "cannot tell whose connection this is: {0}", e.toString());
      return false;
    }
  }

  /// Returns the user of a connection, or none if it has ended. Both tables may have the same
  /// connection, one of them that of an earlier process.
  private static Set<Integer> users(String local, String remote) throws IOException {
    Set<Integer> users = new TreeSet<>();
    String port = local.substring(local.indexOf(':')); // most rows are of other ports
    for (String table : List.of("tcp", "tcp6")) {
      Path file = TABLES.resolve(table);
      if (Files.exists(file)) {
        try (Stream<String> lines = Files.lines(file)) {
          lines
              .skip(1)
              .filter(line -> line.contains(port))
              .map(line -> line.strip().split("\\s+"))
              .filter(row -> local.endsWith(row[LOCAL]) && remote.endsWith(row[REMOTE]))
              .filter(row -> !row[INODE].equals(NO_INODE))
              .forEach(row -> users.add(Integer.parseUnsignedInt(row[USER])));
        }
      }
    }
    return users;
  }

  /// Returns an address as a table of IPv6 shows it: words in the byte order of this machine. The
  /// table of IPv4 shows the end of that, since an IPv4 address is mapped to one of IPv6 (RFC 4291,
  /// section 2.5.5.2).
  private static String entry(SocketAddress address) throws IOException {
    byte[] bytes = InetAddress.getByName(address.hostAddress()).getAddress();
    ByteBuffer all = ByteBuffer.allocate(16);
    if (bytes.length < all.capacity()) {
      all.putShort(all.capacity() - bytes.length - Short.BYTES, (short) -1);
    }
    all.position(all.capacity() - bytes.length).put(bytes).flip().order(ByteOrder.nativeOrder());
    StringBuilder entry = new StringBuilder();
    while (all.hasRemaining()) {
      entry.append("%08X".formatted(all.getInt()));
    }
    return entry.append(":%04X".formatted(address.port())).toString();
  }
}
