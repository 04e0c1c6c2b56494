// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import dev.tensorbus.grpc.gateway.server.GatewayOptions.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/// Makes a certificate for `localhost` with the JDK's keytool.
final class Certificates {
  private static final String PASSWORD = "password";

  private Certificates() {}

  static Tls make(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "gateway",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed");
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new Tls(
        pem(folder.resolve("cert.pem"), "CERTIFICATE", keys.getCertificate("gateway").getEncoded()),
        pem(
            folder.resolve("key.pem"),
            "PRIVATE KEY",
            keys.getKey("gateway", PASSWORD.toCharArray()).getEncoded()));
  }

  private static Path pem(Path file, String kind, byte[] encoded) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(encoded);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, text, kind));
  }
}
