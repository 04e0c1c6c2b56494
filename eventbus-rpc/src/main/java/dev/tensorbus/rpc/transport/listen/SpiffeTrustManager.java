// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Trusts the certificates of workers of one world, if their authority certifies others as well. A
/// worker's SPIFFE id is the only URI in its certificate (SPIFFE X.509-SVID, section 2), such as
/// `spiffe://tensorbus/worker/trainers`. The ids of the workers of a world are equal up to their
/// last slash.
///
/// If the certificate of this process has no SPIFFE id, every certificate of the authority is
/// trusted.
final class SpiffeTrustManager extends X509ExtendedTrustManager {
  private static final String SCHEME = "spiffe://";
  private static final int URI = 6; // among the subject's alternative names, RFC 5280, 4.2.1.6

  private final X509ExtendedTrustManager authority;

  /// The start of the ids of all workers, or null.
  private final @Nullable String prefix;

  private SpiffeTrustManager(X509ExtendedTrustManager authority, @Nullable String prefix) {
    this.authority = authority;
    this.prefix = prefix;
  }

  /// @param own the certificate of this process
  /// @param authority the certificates of the world's authority
  static SpiffeTrustManager of(X509Certificate own, List<X509Certificate> authority)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (X509Certificate certificate : authority) {
      store.setCertificateEntry("authority" + store.size(), certificate);
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    boolean hasId =
        uris(own).stream().anyMatch(uri -> uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length()));
    return new SpiffeTrustManager(
        (X509ExtendedTrustManager) factory.getTrustManagers()[0], hasId ? prefix(own) : null);
  }

  private static String prefix(X509Certificate own) throws CertificateException {
    List<String> uris = uris(own);
    String id = uris.getFirst();
    boolean isId = id.startsWith(SCHEME) && id.indexOf('/', SCHEME.length()) > 0;
    if (uris.size() > 1 || !isId || id.endsWith("/")) {
      throw new CertificateException(
          "its URIs are %s; expected one SPIFFE id, such as spiffe://tensorbus/worker/NAME"
              .formatted(uris));
    }
    return id.substring(0, id.lastIndexOf('/') + 1);
  }

  private static List<String> uris(X509Certificate certificate) throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    return names == null
        ? List.of()
        : names.stream()
            .filter(name -> name.getFirst().equals(URI))
            .map(name -> name.get(1).toString())
            .toList();
  }

  /// Refuses whoever is not a worker, such as an authority that the world's has certified.
  private void check(X509Certificate... chain) throws CertificateException {
    if (prefix == null) {
      return;
    }
    List<String> uris = uris(chain[0]);
    boolean isOfAuthority = chain[0].getBasicConstraints() >= 0;
    if (isOfAuthority || uris.size() != 1 || !isWorker(uris.getFirst(), prefix)) {
      throw new CertificateException(
          "the certificate is for %s%s; expected %sNAME"
              .formatted(uris, isOfAuthority ? ", an authority" : "", prefix));
    }
  }

  private static boolean isWorker(String id, String prefix) {
    return id.startsWith(prefix)
        && id.length() > prefix.length()
        && id.indexOf('/', prefix.length()) < 0;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authority.checkClientTrusted(chain, type);
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    authority.checkClientTrusted(chain, type, socket);
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    authority.checkClientTrusted(chain, type, engine);
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authority.checkServerTrusted(chain, type);
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    authority.checkServerTrusted(chain, type, socket);
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    authority.checkServerTrusted(chain, type, engine);
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authority.getAcceptedIssuers();
  }
}
