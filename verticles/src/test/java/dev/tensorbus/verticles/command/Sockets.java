// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The sockets of a process, as Linux tells of them in `/proc`.
final class Sockets {
  private static final int LOCAL_ADDRESS = 1;
  private static final int INODE = 9;

  private Sockets() {}

  /// A socket that is bound.
  ///
  /// @param kind tcp, tcp6, udp or udp6
  record Bound(String kind, InetAddress address, int port) {}

  static List<Bound> of(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    try {
      Set<String> own = inodes(process.resolve("fd"));
      List<Bound> sockets = new ArrayList<>();
      for (String kind : List.of("tcp", "tcp6", "udp", "udp6")) {
        for (String line : Files.readAllLines(process.resolve("net").resolve(kind))) {
          String[] words = line.strip().split("\\s+");
          if (words.length > INODE && own.contains("socket:[" + words[INODE] + "]")) {
            String[] place = words[LOCAL_ADDRESS].split(":");
            sockets.add(new Bound(kind, address(place[0]), Integer.parseInt(place[1], 16)));
          }
        }
      }
      return sockets;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> inodes(Path descriptors) throws IOException {
    Set<String> names = new HashSet<>();
    try (Stream<Path> all = Files.list(descriptors)) {
      for (Path descriptor : all.toList()) {
        try {
          names.add(Files.readSymbolicLink(descriptor).toString());
        } catch (NoSuchFileException e) {
          continue; // it was closed meanwhile
        }
      }
    }
    return names;
  }

  /// Linux writes each word of four bytes in the order of a little-endian machine.
  private static InetAddress address(String hex) throws UnknownHostException {
    byte[] bytes = HexFormat.of().parseHex(hex);
    for (int word = 0; word < bytes.length; word += 4) {
      swap(bytes, word, word + 3);
      swap(bytes, word + 1, word + 2);
    }
    return InetAddress.getByAddress(bytes);
  }

  private static void swap(byte[] bytes, int a, int b) {
    byte kept = bytes[a];
    bytes[a] = bytes[b];
    bytes[b] = kept;
  }
}
