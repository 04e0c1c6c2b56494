// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;

/// The certificate by which this process proves that it belongs to a world, and the authority of
/// that world. They are three PEM files of a folder, with the names that they have in a Kubernetes
/// secret of type TLS: `tls.crt`, `tls.key` (PKCS #8) and `ca.crt`.
///
/// Both ends of a connection must have a certificate of the same authority, and speak TLS 1.3. The
/// names in a certificate are not compared with host names: whoever has a certificate of the
/// authority is a member of the world. Thread-safe.
public final class Certificates {
  /// The certificate of this process, followed by intermediate ones, if any.
  public static final String CERTIFICATE = "tls.crt";

  /// The private key of the certificate.
  public static final String KEY = "tls.key";

  /// The certificates of the authority.
  public static final String AUTHORITY = "ca.crt";

  private static final String PROTOCOL = "TLSv1.3";
  private static final char[] NO_PASSWORD = {};

  private static final Pattern KEY_BLOCK =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([\\sA-Za-z0-9+/=]+)-----END PRIVATE KEY-----");

  private final Path folder;
  private final SSLContext context;

  private Certificates(Path folder, SSLContext context) {
    this.folder = folder;
    this.context = context;
  }

  /// Reads the files of a folder, and checks that they belong together and are valid now.
  ///
  /// @throws IOException if a file is missing, is malformed or has expired, or if the key does not
  ///     belong to the certificate
  public static Certificates read(Path folder) throws IOException {
    List<X509Certificate> own = certificates(folder.resolve(CERTIFICATE));
    List<X509Certificate> authority = certificates(folder.resolve(AUTHORITY));
    PrivateKey key = key(folder.resolve(KEY), own.getFirst());
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry("tls", key, NO_PASSWORD, own.toArray(X509Certificate[]::new));
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, NO_PASSWORD);
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, NO_PASSWORD);
      for (int i = 0; i < authority.size(); i++) {
        trusted.setCertificateEntry("ca" + i, authority.get(i));
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance(PROTOCOL);
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return new Certificates(folder, context);
    } catch (GeneralSecurityException e) {
      throw new IOException("%s: %s".formatted(folder, e.getMessage()), e);
    }
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

  private static PrivateKey key(Path file, X509Certificate certificate) throws IOException {
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

  /// Returns the folder, for error messages.
  public Path folder() {
    return folder;
  }

  /// Returns a context for connections of this process.
  public SSLContext context() {
    return context;
  }

  /// Creates one end of a connection.
  ///
  /// @param isConnector whether this end has opened the connection
  public SSLEngine engine(boolean isConnector) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(isConnector);
    engine.setEnabledProtocols(new String[] {PROTOCOL});
    if (!isConnector) {
      engine.setNeedClientAuth(true);
    }
    return engine;
  }

  /// Makes an event bus require the same of its connections.
  public void secure(EventBusOptions bus) {
    String certificate = folder.resolve(CERTIFICATE).toString();
    String key = folder.resolve(KEY).toString();
    bus.setSsl(true)
        .setKeyCertOptions(new PemKeyCertOptions().addCertPath(certificate).addKeyPath(key))
        .setTrustOptions(new PemTrustOptions().addCertPath(folder.resolve(AUTHORITY).toString()))
        .setTrustAll(false)
        .setClientAuth(ClientAuth.REQUIRED)
        .setEnabledSecureTransportProtocols(Set.of(PROTOCOL));
  }
}
