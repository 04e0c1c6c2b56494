// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpiffeTrustManagerTest {
  private static final String SERVER = "spiffe://tensorbus/worker/server";
  private static final String NONE = "";
  private static final String BOTH = SERVER + " spiffe://tensorbus/client/server";

  private static X509Bundle authority;

  @BeforeAll
  static void create() throws Exception {
    authority =
        new CertificateBuilder()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
  }

  /// Returns a certificate of the authority.
  ///
  /// @param uris separated by spaces
  private static X509Certificate certificate(String uris) throws Exception {
    return certificate(uris, authority);
  }

  private static X509Certificate certificate(String uris, X509Bundle authority) throws Exception {
    CertificateBuilder builder =
        new CertificateBuilder().subject("CN=worker").addSanDnsName("worker");
    for (String uri : uris.split(" ")) {
      if (!uri.isEmpty()) {
        builder.addSanUriName(URI.create(uri));
      }
    }
    return builder.buildIssuedBy(authority).getCertificate();
  }

  /// Checks a certificate as a process does whose own certificate has these URIs.
  private static void check(String own, X509Certificate other) throws Exception {
    X509TrustManager trust = trust(own);
    X509Certificate[] chain = {other};
    trust.checkClientTrusted(chain, "UNKNOWN");
    trust.checkServerTrusted(chain, "UNKNOWN");
  }

  private static X509TrustManager trust(String own) throws Exception {
    List<X509Certificate> authorities = List.of(authority.getCertificate());
    return SpiffeTrustManager.of(certificate(own), authorities);
  }

  @ParameterizedTest
  @ValueSource(strings = {SERVER, "spiffe://tensorbus/worker/trainers"})
  void workersOfTheWorldAreAccepted(String other) {
    assertThatCode(() -> check(SERVER, certificate(other))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        NONE,
        BOTH,
        "spiffe://tensorbus/client/server",
        "spiffe://elsewhere/worker/server",
        "spiffe://tensorbus/worker/server/child",
        "spiffe://tensorbus/worker",
        "spiffe://tensorbus/worker/",
        "SPIFFE://tensorbus/worker/server",
        "spiffe://tensorbus",
        "https://tensorbus/worker/server"
      })
  void othersAreRefused(String other) {
    assertThatExceptionOfType(CertificateException.class)
        .isThrownBy(() -> check(SERVER, certificate(other)))
        .withMessageContaining("expected spiffe://tensorbus/worker/NAME");
  }

  @ParameterizedTest
  @ValueSource(strings = {NONE, BOTH, SERVER})
  void withoutAnIdOfItsOwnAProcessAcceptsAllOfTheAuthority(String other) {
    assertThatCode(() -> check(NONE, certificate(other))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BOTH,
        "spiffe://tensorbus",
        "spiffe://tensorbus/worker/",
        "SPIFFE://tensorbus/worker/server"
      })
  void anIdOfItsOwnThatNamesNoWorkerIsRefused(String own) {
    assertThatExceptionOfType(GeneralSecurityException.class)
        .isThrownBy(() -> trust(own))
        .withMessageContaining("expected one SPIFFE id, such as spiffe://tensorbus/worker/");
  }

  @Test
  void anAuthorityBetweenIsNoWorker() throws Exception {
    X509Bundle between =
        new CertificateBuilder()
            .subject("CN=between")
            .setIsCertificateAuthority(true)
            .addSanUriName(URI.create(SERVER))
            .buildIssuedBy(authority);
    assertThatExceptionOfType(CertificateException.class)
        .isThrownBy(() -> check(SERVER, between.getCertificate()))
        .withMessageContaining("an authority");
  }

  @Test
  void anotherAuthorityIsRefused() throws Exception {
    X509Bundle other =
        new CertificateBuilder()
            .subject("CN=authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    X509Certificate stranger = certificate(SERVER, other);
    assertThatExceptionOfType(CertificateException.class).isThrownBy(() -> check(SERVER, stranger));
  }
}
