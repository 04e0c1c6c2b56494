// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/// The certificate by which this process proves that it belongs to a world, and the authority of
/// that world. They are three PEM files of a folder, with the names that they have in a Kubernetes
/// secret of type TLS: `tls.crt`, `tls.key` (PKCS #8) and `ca.crt`.
///
/// Both ends of a connection must have a certificate of the same authority, and speak TLS 1.3. The
/// names in a certificate are not compared with host names. Whoever has a certificate of the
/// authority is a member of the world, or, if the certificates have SPIFFE ids, whoever has one for
/// a worker of this world: see [SpiffeTrustManager].
///
/// New connections use the files as they are then. If they have become invalid, a warning is
/// logged, and new connections use what was read before. Thread-safe.
public final class Certificates {
  /// The certificate of this process, followed by intermediate ones, if any.
  public static final String CERTIFICATE = "tls.crt";

  /// The private key of the certificate.
  public static final String KEY = "tls.key";

  /// The certificates of the authority.
  public static final String AUTHORITY = "ca.crt";

  private static final System.Logger LOG = System.getLogger(Certificates.class.getName());
  private static final String PROTOCOL = "TLSv1.3";

  /// The type of the key stores in memory. A PKCS #12 store, Java's default, would encrypt the key
  /// with 10,000 rounds of a hash, which a new JVM does not run compiled.
  private static final String KEY_STORE = "JKS";

  /// The interval at which the files are looked at, if there are connections.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Pattern KEY_BLOCK =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([\\sA-Za-z0-9+/=]+)-----END PRIVATE KEY-----");

  private final Path folder;

  // Guarded by this.
  private Content content;
  private List<FileTime> modified;
  private Deadline nextLook = Deadline.after(LOOK, NanoClock.SYSTEM);

  private Certificates(Path folder, List<FileTime> modified, Content content) {
    this.folder = folder;
    this.modified = modified;
    this.content = content;
  }

  /// The contents of the files.
  ///
  /// @param trust decides whose certificates are accepted
  /// @param context both ends of connections that the JDK encrypts
  private record Content(
      PrivateKey key, List<X509Certificate> own, TrustManager trust, SSLContext context) {
    static Content read(Path folder) throws IOException {
      List<X509Certificate> own = certificates(folder.resolve(CERTIFICATE));
      List<X509Certificate> authority = certificates(folder.resolve(AUTHORITY));
      PrivateKey key = privateKey(folder.resolve(KEY), own.getFirst());
      try {
        TrustManager trust = SpiffeTrustManager.of(own.getFirst(), authority);
        return new Content(key, own, trust, context(key, own, trust));
      } catch (GeneralSecurityException e) {
        throw new IOException("%s: %s".formatted(folder.resolve(CERTIFICATE), e.getMessage()), e);
      }
    }

    private static SSLContext context(PrivateKey key, List<X509Certificate> own, TrustManager trust)
        throws GeneralSecurityException, IOException {
      char[] password = {};
      KeyStore store = KeyStore.getInstance(KEY_STORE);
      store.load(null, null);
      store.setKeyEntry("own", key, password, own.toArray(X509Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      SSLContext context = SSLContext.getInstance(PROTOCOL);
      context.init(keys.getKeyManagers(), new TrustManager[] {trust}, null);
      // A resumed session does not show its certificate again, which may have expired.
      context.getServerSessionContext().setSessionTimeout(1);
      return context;
    }

    /// @param isConnector whether this end opens connections
    SslContext bulkContext(boolean isConnector) throws SSLException {
      SslContextBuilder builder =
          isConnector ? SslContextBuilder.forClient() : SslContextBuilder.forServer(key, own);
      return builder
          .keyStoreType(KEY_STORE)
          .keyManager(key, own)
          .trustManager(trust)
          .sslProvider(SslProvider.OPENSSL_REFCNT)
          .protocols(PROTOCOL)
          .clientAuth(ClientAuth.REQUIRE)
          .endpointIdentificationAlgorithm("") // names are not compared
          .build();
    }
  }

  /// Reads the files of a folder, and checks that they belong together and are valid now.
  ///
  /// @throws IOException if a file is missing, is malformed or has expired, or if the key does not
  ///     belong to the certificate
  public static Certificates read(Path folder) throws IOException {
    List<FileTime> times = modified(folder); // first, so that no change is missed
    return new Certificates(folder, times, Content.read(folder));
  }

  /// Returns the times at which the existing files were changed.
  private static List<FileTime> modified(Path folder) throws IOException {
    List<FileTime> times = new ArrayList<>();
    for (String name : List.of(CERTIFICATE, KEY, AUTHORITY)) {
      Path file = folder.resolve(name);
      if (Files.exists(file)) {
        times.add(Files.getLastModifiedTime(file));
      }
    }
    return times;
  }

  /// Returns what the files contain, which may have changed.
  private synchronized Content current() {
    if (!nextLook.isOver()) {
      return content;
    }
    nextLook = Deadline.after(LOOK, NanoClock.SYSTEM);
    try {
      List<FileTime> times = modified(folder);
      if (!times.equals(modified)) {
        modified = times; // if they are invalid, until they change again
        content = Content.read(folder);
        LOG.log(Level.INFO, "new connections use the changed certificates in {0}", folder);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the former certificates stay in use: {0}", e.getMessage());
    }
    return content;
  }

  private static List<X509Certificate> certificates(Path file) throws IOException {
    try {
      List<X509Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes(file)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (all.isEmpty()) {
        throw new IOException(file + " has no certificate; expected PEM");
      }
      for (X509Certificate one : all) {
        requireValid(file, one);
      }
      return all;
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " has no certificate; expected PEM: " + e.getMessage(), e);
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(
          "%s is missing; expected %s, %s and %s in %s; tensorbus certificates creates them"
              .formatted(file, CERTIFICATE, KEY, AUTHORITY, file.getParent()));
    }
    return Files.readAllBytes(file);
  }

  private static void requireValid(Path file, X509Certificate certificate) throws IOException {
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw new IOException(
          "the certificate %s expired on %tF; create another one"
              .formatted(file, certificate.getNotAfter()),
          e);
    } catch (CertificateNotYetValidException e) {
      throw new IOException(
          "the certificate %s is valid from %tF on; check the clock of this machine"
              .formatted(file, certificate.getNotBefore()),
          e);
    }
  }

  private static PrivateKey privateKey(Path file, X509Certificate certificate) throws IOException {
    String text = new String(bytes(file), StandardCharsets.US_ASCII);
    Matcher block = KEY_BLOCK.matcher(text);
    if (!block.find()) {
      throw new IOException(
          file + " has no private key; expected PEM of PKCS #8: -----BEGIN PRIVATE KEY-----");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(block.group(1));
      PrivateKey key =
          KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(der));
      if (!belongTogether(key, certificate)) {
        throw new IOException(
            "the key %s does not belong to the certificate %s beside it"
                .formatted(file, CERTIFICATE));
      }
      return key;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "%s has no private key of %s: %s".formatted(file, CERTIFICATE, e.getMessage()), e);
    }
  }

  private static boolean belongTogether(PrivateKey key, X509Certificate certificate)
      throws GeneralSecurityException {
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    byte[] message = {1};
    Signature signature =
        Signature.getInstance(key.getAlgorithm().startsWith("Ed") ? "EdDSA" : algorithm);
    signature.initSign(key);
    signature.update(message);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(message);
    return signature.verify(signed);
  }

  /// Creates one end of a connection.
  ///
  /// @param isConnector whether this end has opened the connection
  public SSLEngine engine(boolean isConnector) {
    SSLEngine engine = current().context().createSSLEngine();
    engine.setUseClientMode(isConnector);
    engine.setEnabledProtocols(new String[] {PROTOCOL});
    if (!isConnector) {
      engine.setNeedClientAuth(true);
    }
    return engine;
  }

  /// Creates one end of a connection for many bytes: BoringSSL's, which encrypts several times as
  /// fast as the JDK's, where Netty has it for the platform. `ReferenceCountUtil` releases it.
  ///
  /// @param isConnector whether this end has opened the connection
  public SSLEngine bulkEngine(boolean isConnector) throws SSLException {
    if (!OpenSsl.isAvailable()) {
      return engine(isConnector);
    }
    SslContext context = current().bulkContext(isConnector);
    try {
      return context.newEngine(ByteBufAllocator.DEFAULT);
    } finally {
      ReferenceCountUtil.release(context); // the engine keeps it until it is released itself
    }
  }

  /// Encrypts a connected socket of this end. The handshake begins with the first byte that is read
  /// or written.
  public SSLSocket socket(Socket socket) throws IOException {
    String host = socket.getInetAddress().getHostAddress();
    SSLContext context = current().context();
    SSLSocket encrypted =
        (SSLSocket) context.getSocketFactory().createSocket(socket, host, socket.getPort(), false);
    encrypted.setEnabledProtocols(new String[] {PROTOCOL});
    return encrypted;
  }
}
