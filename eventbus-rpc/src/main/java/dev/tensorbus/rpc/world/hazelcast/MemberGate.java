// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.NodeContext;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.rpc.transport.listen.HostRates;
import dev.tensorbus.rpc.transport.listen.Secret;
import dev.tensorbus.rpc.transport.listen.SecretHandshake;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// How Hazelcast members recognize each other when they connect.
public sealed interface MemberGate {
  /// Returns the first bytes of a member's connection.
  String firstBytes();

  /// Returns whether a member is at the other end of a new connection of this process. Blocks until
  /// the other end has answered, or the socket is closed.
  ///
  /// @throws SecretHandshake.StrangerException if a member of another user's world is there
  boolean isMember(Socket socket) throws SecretHandshake.StrangerException;

  /// Returns the certificates of this process, or null. With them, everything that workers send to
  /// each other is encrypted.
  default @Nullable Certificates certificates() {
    return null;
  }

  /// Returns the secret that all members know, or null.
  default @Nullable Secret secret() {
    return null;
  }

  /// Returns the context with which a Hazelcast member is created.
  NodeContext context();

  /// Nobody proves anything: everyone who can reach a member's port can join. For networks in which
  /// everyone is trusted.
  record Open() implements MemberGate {
    /// A member answers the first bytes of Hazelcast's protocol with the same bytes.
    private static final String MEMBER = "HZC";

    @Override
    public String firstBytes() {
      return MEMBER;
    }

    @Override
    public boolean isMember(Socket socket) {
      byte[] first = MEMBER.getBytes(StandardCharsets.US_ASCII);
      try {
        socket.getOutputStream().write(first);
        return Arrays.equals(first, socket.getInputStream().readNBytes(first.length));
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public NodeContext context() {
      return new DefaultNodeContext();
    }
  }

  /// Both ends prove that they know the user's secret.
  ///
  /// @param secret the secret
  record Shared(Secret secret) implements MemberGate {
    @Override
    public String firstBytes() {
      return SecretHandshake.MEMBER;
    }

    @Override
    public boolean isMember(Socket socket) throws SecretHandshake.StrangerException {
      try {
        SecretHandshake.connect(secret, socket);
        return true;
      } catch (SecretHandshake.StrangerException e) {
        throw e;
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public NodeContext context() {
      return new GuardedContext(
          (channel, passed) -> new SecretGuard(secret, channel, passed), _ -> true);
    }
  }

  /// Both ends have certificates of the world's authority, and encrypt what they send.
  ///
  /// @param certificates the certificates of this process
  record Certified(Certificates certificates) implements MemberGate {
    /// The header of the first TLS record (RFC 8446, section 5.1).
    private static final String HANDSHAKE = "\u0016\u0003";

    @Override
    public String firstBytes() {
      return HANDSHAKE;
    }

    @Override
    public boolean isMember(Socket socket) {
      try {
        return new Open().isMember(certificates.socket(socket));
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public NodeContext context() {
      return new GuardedContext(
          (channel, passed) -> new TlsGuard(certificates, channel, passed),
          HostRates.ofStrangers()::admit);
    }
  }
}
