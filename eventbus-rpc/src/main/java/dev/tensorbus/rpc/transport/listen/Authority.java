// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/// The authority of a world: its key and certificate, in the file `authority.p12` of a folder.
/// Certificates are created by the JDK's `keytool`.
public final class Authority {
  /// The file with the authority's key.
  public static final String FILE = "authority.p12";

  private static final String ALIAS = "authority";
  private static final int AUTHORITY_DAYS = 3650;

  /// Not a secret: the file's permissions protect the key. PKCS #12 requires a password.
  private static final String PASSWORD = "tensorbus";

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");

  private final Path folder;
  private final int days;

  private Authority(Path folder, int days) {
    this.folder = folder;
    this.days = days;
  }

  /// Opens the authority of a folder, and creates it if there is none.
  ///
  /// @param days the days until certificates of this authority expire
  public static Authority in(Path folder, int days) throws IOException, InterruptedException {
    if (days < 1 || days > AUTHORITY_DAYS) {
      throw new IllegalArgumentException(
          "days are %d; expected a whole number from 1 to %d".formatted(days, AUTHORITY_DAYS));
    }
    createFolder(folder);
    Authority authority = new Authority(folder, days);
    if (!Files.exists(folder.resolve(FILE))) {
      authority.create();
    }
    return authority;
  }

  /// Creates the file in a folder that only its owner can read, until it has its permissions.
  private void create() throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(folder, "new");
    Path file = own.resolve(FILE);
    try {
      keytool(
          file,
          List.of("-alias", ALIAS, "-dname", "CN=tensorbus authority"),
          List.of("-ext", "bc:c", "-ext", "ku:c=keyCertSign,cRLSign"),
          AUTHORITY_DAYS);
      restrict(file);
      Files.move(file, folder.resolve(FILE));
    } finally {
      Files.deleteIfExists(file);
      Files.delete(own);
    }
  }

  /// Creates the certificate and the key of a worker, a role or a machine, in a folder with its
  /// name.
  ///
  /// @return the folder
  /// @throws IllegalArgumentException if the name is invalid, or has a certificate already
  public Path certify(String name) throws IOException, InterruptedException {
    return certify("worker", name);
  }

  /// Creates the certificate and the key of a client, such as a Prometheus server, in a folder with
  /// its name. It cannot join the world.
  ///
  /// @return the folder
  /// @throws IllegalArgumentException if the name is invalid, or has a certificate already
  public Path certifyClient(String name) throws IOException, InterruptedException {
    return certify("client", name);
  }

  private Path certify(String role, String name) throws IOException, InterruptedException {
    if (!NAME.matcher(name).matches() || name.equals(ALIAS)) {
      throw new IllegalArgumentException(
          "the name \"%s\"; expected small letters, digits, dots and hyphens".formatted(name));
    }
    Path own = folder.resolve(name);
    if (Files.exists(own)) {
      throw new IllegalArgumentException(own + " exists; delete it to create another certificate");
    }
    keytool(
        folder.resolve(FILE),
        List.of("-alias", name, "-dname", "CN=" + name, "-signer", ALIAS),
        List.of(
            "-ext", "san=dns:%s,uri:spiffe://tensorbus/%s/%s".formatted(name, role, name),
            "-ext", "eku=serverAuth,clientAuth",
            "-ext", "ku:c=digitalSignature"),
        days);
    createFolder(own);
    try {
      write(name, own);
    } catch (GeneralSecurityException e) {
      throw new IOException(folder.resolve(FILE) + ": " + e.getMessage(), e);
    }
    return own;
  }

  private void write(String name, Path own) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(folder.resolve(FILE))) {
      store.load(in, PASSWORD.toCharArray());
    }
    Path key = Files.createFile(own.resolve(Certificates.KEY));
    restrict(key);
    byte[] bytes = store.getKey(name, PASSWORD.toCharArray()).getEncoded();
    Files.writeString(key, pem("PRIVATE KEY", bytes));
    Certificate certificate = store.getCertificate(name);
    Files.writeString(
        own.resolve(Certificates.CERTIFICATE), pem("CERTIFICATE", certificate.getEncoded()));
    Files.writeString(
        own.resolve(Certificates.AUTHORITY),
        pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()));
    store.deleteEntry(name); // the key is in the folder only
    try (var out = Files.newOutputStream(folder.resolve(FILE))) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  private static String pem(String type, byte[] der) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(type, lines);
  }

  /// Creates a folder that only its owner can read. Leaves an existing one as it is.
  private static void createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Files.createDirectories(folder);
    if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static void restrict(Path file) throws IOException {
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  /// Creates a key and its certificate in a file of keys.
  private static void keytool(
      Path file, List<String> subject, List<String> extensions, int validity)
      throws IOException, InterruptedException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    if (!Files.exists(tool, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(tool + " is missing; run this command with a JDK");
    }
    List<String> command = new ArrayList<>(List.of(tool.toString(), "-genkeypair"));
    command.addAll(subject);
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(extensions);
    command.addAll(List.of("-validity", Integer.toString(validity)));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", file.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed: " + output.strip());
    }
  }
}
