// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {
  @TempDir private static Path folder;

  private static Authority authority;
  private static Path server;

  @BeforeAll
  static void certify() throws Exception {
    authority = Authority.in(folder.resolve("certs"), 30);
    server = authority.certify("server");
  }

  private static Path copy(String name) throws IOException {
    Path copy = Files.createDirectory(folder.resolve(name));
    for (String file :
        List.of(Certificates.CERTIFICATE, Certificates.KEY, Certificates.AUTHORITY)) {
      Files.copy(server.resolve(file), copy.resolve(file));
    }
    return copy;
  }

  @Test
  void whatAnAuthorityCreatesCanBeRead() throws IOException {
    assertThat(Certificates.read(server).engine(false).getNeedClientAuth()).isTrue();
    assertThat(Certificates.read(server).engine(true).getEnabledProtocols())
        .containsExactly("TLSv1.3");
  }

  @Test
  void onlyTheirOwnerCanReadPrivateKeys() throws IOException {
    for (Path file :
        List.of(server.resolve(Certificates.KEY), folder.resolve("certs/authority.p12"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(server)))
        .isEqualTo("rwx------");
  }

  @Test
  void anAuthorityCertifiesFurtherNamesLater() throws Exception {
    Path later = Authority.in(folder.resolve("certs"), 30).certify("later");
    assertThat(later.resolve(Certificates.AUTHORITY))
        .hasSameTextualContentAs(server.resolve(Certificates.AUTHORITY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> authority.certify("later"))
        .withMessage(later + " exists; delete it to create another certificate");
  }

  @Test
  void aNameIsNoPath() {
    for (String name : List.of("../x", "", "a/b", "authority")) {
      assertThatIllegalArgumentException().isThrownBy(() -> authority.certify(name));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Authority.in(folder.resolve("certs"), 0))
        .withMessage("days are 0; expected a whole number from 1 to 3650");
  }

  @Test
  void aMissingFileIsNamed() {
    Path empty = folder.resolve("empty");
    assertThatIOException()
        .isThrownBy(() -> Certificates.read(empty))
        .withMessage(
            "%s is missing; expected tls.crt, tls.key and ca.crt in %s; tensorbus certificates"
                    .formatted(empty.resolve("tls.crt"), empty)
                + " creates them");
  }

  @Test
  void theKeyOfAnotherCertificateIsRefused() throws Exception {
    Path mixed = copy("mixed");
    Path other = authority.certify("other");
    Files.delete(mixed.resolve(Certificates.KEY));
    Files.copy(other.resolve(Certificates.KEY), mixed.resolve(Certificates.KEY));
    assertThatIOException()
        .isThrownBy(() -> Certificates.read(mixed))
        .withMessage(
            "the key %s does not belong to the certificate tls.crt beside it",
            mixed.resolve(Certificates.KEY));
  }

  @Test
  void whatIsNoPemIsRefused() throws IOException {
    Path broken = copy("broken");
    Files.writeString(broken.resolve(Certificates.KEY), "secret");
    assertThatIOException()
        .isThrownBy(() -> Certificates.read(broken))
        .withMessage(
            "%s has no private key; expected PEM of PKCS #8: -----BEGIN PRIVATE KEY-----",
            broken.resolve(Certificates.KEY));
    Files.writeString(broken.resolve(Certificates.CERTIFICATE), "certificate");
    assertThatIOException()
        .isThrownBy(() -> Certificates.read(broken))
        .withMessageStartingWith(
            broken.resolve(Certificates.CERTIFICATE) + " has no certificate; expected PEM");
  }

  @Test
  void anExpiredCertificateIsNamedWithItsDate() throws IOException {
    Path old = copy("old");
    Files.writeString(old.resolve(Certificates.CERTIFICATE), EXPIRED);
    assertThatIOException()
        .isThrownBy(() -> Certificates.read(old))
        .withMessage(
            "the certificate %s expired on 2020-01-02; create another one",
            old.resolve(Certificates.CERTIFICATE));
  }

  /// A certificate that was valid for a day.
  private static final String EXPIRED =
      """
      -----BEGIN CERTIFICATE-----
      MIIBPDCB4qADAgECAgkAzeZHm+9pmvUwCgYIKoZIzj0EAwMwEjEQMA4GA1UEAxMH
      ZXhwaXJlZDAeFw0yMDAxMDExMjAwMDBaFw0yMDAxMDIxMjAwMDBaMBIxEDAOBgNV
      BAMTB2V4cGlyZWQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATMIzGj5ELG4x55
      tQ+lpIC9Dm0vNPMFg60BY8Aoc/qWN3FW6HCgifB3pgPulwDATToPxE7/xyaddjIV
      CwNaAWzwoyEwHzAdBgNVHQ4EFgQUB8LNYJdJUuNEUT/qZSi420b9v8MwCgYIKoZI
      zj0EAwMDSQAwRgIhAJA2SUljBdadcnQP/IPhE38KCuu8uyD+GZ0XRUjwHEEJAiEA
      q8FfmqoXWXnoSHIH7TCh5km+e7WsiYGC2BPp6mrNlTg=
      -----END CERTIFICATE-----
      """;
}
