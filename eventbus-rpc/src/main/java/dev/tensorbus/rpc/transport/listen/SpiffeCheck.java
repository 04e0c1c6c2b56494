// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManagerFactory;

/// Accepts the certificates of workers of one world, if their authority certifies others as well. A
/// worker's SPIFFE id is the only URI in its certificate (SPIFFE X.509-SVID, section 2), such as
/// `spiffe://tensorbus/worker/trainers`. The ids of the workers of a world are equal up to their
/// last slash.
///
/// If the certificate of this process has no SPIFFE id, every certificate of the authority is
/// accepted.
final class SpiffeCheck extends PKIXCertPathChecker {
  private static final String SCHEME = "spiffe://";
  private static final int URI = 6; // among the subject's alternative names, RFC 5280, 4.2.1.6

  /// What the ids of all workers begin with.
  private final String prefix;

  private SpiffeCheck(String prefix) {
    this.prefix = prefix;
  }

  /// Returns what decides whether the certificate of the other end is accepted.
  ///
  /// @param own the certificate of this process
  /// @param authority the certificates of the world's authority
  static TrustManagerFactory trust(X509Certificate own, List<X509Certificate> authority)
      throws GeneralSecurityException {
    Set<TrustAnchor> anchors = new HashSet<>();
    authority.forEach(certificate -> anchors.add(new TrustAnchor(certificate, null)));
    PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, new X509CertSelector());
    parameters.setRevocationEnabled(false);
    if (uris(own).stream().anyMatch(uri -> uri.startsWith(SCHEME))) {
      parameters.addCertPathChecker(new SpiffeCheck(prefix(own)));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(new CertPathTrustManagerParameters(parameters));
    return factory;
  }

  private static String prefix(X509Certificate own) throws CertificateException {
    List<String> uris = uris(own);
    String id = uris.getFirst();
    if (uris.size() > 1 || id.indexOf('/', SCHEME.length()) < 0) {
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

  @Override
  public void init(boolean isForward) {
    // nothing is kept from one certificate to the next
  }

  @Override
  public boolean isForwardCheckingSupported() {
    return false;
  }

  @Override
  public Set<String> getSupportedExtensions() {
    return Set.of();
  }

  /// Checks the certificate of a worker. Those of authorities between it and the world's are free,
  /// since they could certify any id.
  @Override
  public void check(Certificate given, Collection<String> unresolved)
      throws CertPathValidatorException {
    X509Certificate certificate = (X509Certificate) given;
    if (certificate.getBasicConstraints() >= 0) {
      return;
    }
    try {
      List<String> uris = uris(certificate);
      if (uris.size() != 1 || !isWorker(uris.getFirst())) {
        throw new CertPathValidatorException(
            "the certificate is for %s; expected %sNAME".formatted(uris, prefix));
      }
    } catch (CertificateParsingException e) {
      throw new CertPathValidatorException(e);
    }
  }

  private boolean isWorker(String id) {
    return id.lastIndexOf('/') + 1 == prefix.length() && id.startsWith(prefix);
  }
}
