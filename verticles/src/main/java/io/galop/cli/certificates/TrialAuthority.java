package io.galop.cli.certificates;

import io.galop.cli.CliFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An authority in a directory, {@code ca.crt} with {@code ca.key}, which signs certificates for
 * trying TLS out. Files are replaced whole, so that a running node takes them up.
 */
public final class TrialAuthority {
  private static final String AUTHORITY = "ca";
  private static final int AUTHORITY_DAYS = 3650;
  private static final int LINE_CHARS = 64;
  private static final List<String> EC = List.of("-keyalg", "EC", "-groupname", "secp256r1");

  /**
   * A certificate.
   *
   * @param name of its files, NAME.crt and NAME.key
   * @param subject whom it names
   * @param hosts names and addresses that it is good for; none for a client's
   * @param startDays when it begins, in days from now
   * @param days how long it is valid
   */
  public record Wanted(String name, String subject, List<String> hosts, int startDays, int days) {}

  private final Path directory;

  private TrialAuthority(Path directory) {
    this.directory = directory;
  }

  /** The authority of a directory; it is made where there is none. Blocks. */
  public static TrialAuthority in(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    TrialAuthority authority = new TrialAuthority(directory);
    if (!Files.exists(authority.file("ca.crt")) || !Files.exists(authority.file("ca.key"))) {
      authority.refuseOthersFiles();
      authority.make();
    }
    return authority;
  }

  /** A file of the directory. */
  public Path file(String name) {
    return directory.resolve(name);
  }

  /** A directory without both files of an authority has none of its certificates either. */
  private void refuseOthersFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<String> others =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".crt") || name.endsWith(".key"))
              .sorted()
              .toList();
      if (!others.isEmpty()) {
        throw CliFailure.failed(
            "%s has %s, but not both ca.crt and ca.key of a trial authority; choose another directory"
                .formatted(directory, String.join(", ", others)));
      }
    }
  }

  private void make() throws IOException, InterruptedException {
    withStore(
        (store, keytool) -> {
          List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", AUTHORITY));
          arguments.addAll(EC);
          arguments.addAll(List.of("-dname", "CN=Galop trial authority"));
          arguments.addAll(List.of("-validity", Integer.toString(AUTHORITY_DAYS)));
          arguments.addAll(List.of("-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign,cRLSign"));
          keytool.run(arguments);
          write(store, AUTHORITY);
        });
  }

  /** Signs a certificate, in place of one of that name. Blocks. */
  public void sign(Wanted wanted) throws IOException, InterruptedException {
    withStore(
        (store, keytool) -> {
          store.putAuthority(file("ca.crt"), file("ca.key"));
          List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", wanted.name));
          arguments.addAll(EC);
          arguments.addAll(List.of("-signer", AUTHORITY, "-dname", "CN=" + wanted.subject));
          arguments.addAll(List.of("-startdate", "%+dd".formatted(wanted.startDays)));
          arguments.addAll(List.of("-validity", Integer.toString(wanted.days)));
          arguments.addAll(List.of("-ext", "ku:c=digitalSignature"));
          if (wanted.hosts.isEmpty()) {
            arguments.addAll(List.of("-ext", "eku=clientAuth"));
          } else {
            String hosts =
                String.join(",", wanted.hosts.stream().map(TrialAuthority::san).toList());
            arguments.addAll(List.of("-ext", "eku=serverAuth", "-ext", "san=" + hosts));
          }
          keytool.run(arguments);
          write(store, wanted.name);
        });
  }

  private static String san(String host) {
    return (host.matches("[0-9.]+|.*:.*") ? "ip:" : "dns:") + host;
  }

  private interface Work {
    void with(Store store, Keytool keytool)
        throws IOException, InterruptedException, GeneralSecurityException;
  }

  /** The key store is keytool's only, and gone afterwards. */
  private void withStore(Work work) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory("galop-certificates");
    Store store = new Store(home.resolve("keys.p12"), UUID.randomUUID().toString());
    try {
      work.with(store, new Keytool(store.file, store.password));
    } catch (GeneralSecurityException e) {
      throw CliFailure.failed("no certificate can be made in " + directory + ": " + e.getMessage());
    } finally {
      Files.deleteIfExists(store.file);
      Files.delete(home);
    }
  }

  private void write(Store store, String name) throws IOException, GeneralSecurityException {
    KeyStore keys = store.read();
    Key key = keys.getKey(name, store.password.toCharArray());
    replace(name + ".key", pem("PRIVATE KEY", key.getEncoded()), "rw-------");
    String certificate = pem("CERTIFICATE", keys.getCertificate(name).getEncoded());
    replace(name + ".crt", certificate, "rw-r--r--");
  }

  private void replace(String name, String text, String permissions) throws IOException {
    Path fresh = Files.createTempFile(directory, name, ".new");
    if (Files.getFileStore(directory).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString(permissions));
    }
    Files.writeString(fresh, text);
    Files.move(fresh, file(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private static String pem(String what, byte[] bytes) {
    Base64.Encoder encoder =
        Base64.getMimeEncoder(LINE_CHARS, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN %s-----%n%s%n-----END %1$s-----%n"
        .formatted(what, encoder.encodeToString(bytes));
  }

  /** A PKCS #12 file. */
  private record Store(Path file, String password) {
    KeyStore read() throws IOException, GeneralSecurityException {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        keys.load(in, password.toCharArray());
      }
      return keys;
    }

    void putAuthority(Path certificate, Path key) throws IOException, GeneralSecurityException {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      try (InputStream in = Files.newInputStream(certificate)) {
        Certificate one = CertificateFactory.getInstance("X.509").generateCertificate(in);
        keys.setKeyEntry(
            AUTHORITY, privateKey(key), password.toCharArray(), new Certificate[] {one});
      }
      try (OutputStream out = Files.newOutputStream(file)) {
        keys.store(out, password.toCharArray());
      }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
      try (Stream<String> lines = Files.lines(file)) {
        String body = String.join("", lines.filter(line -> !line.startsWith("-")).toList());
        byte[] key = Base64.getDecoder().decode(body);
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key));
      } catch (IllegalArgumentException e) {
        throw new GeneralSecurityException(file + " is no PEM", e);
      }
    }
  }
}
