package io.galop.socket;

import io.galop.yaml.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a PEM file held when it was read, once: a pair of files that is being renewed must not be
 * read twice.
 */
record PemFile(String configKey, String file, byte[] bytes) {

  /**
   * Reads it; blocks.
   *
   * @param configKey the dotted path of what names it
   * @throws ConfigException if that cannot be
   */
  static PemFile read(String configKey, String file) {
    try {
      return new PemFile(configKey, file, Files.readAllBytes(Path.of(file)));
    } catch (NoSuchFileException e) {
      throw problem(configKey, file, "there is no such file");
    } catch (AccessDeniedException e) {
      throw problem(configKey, file, "this user may not read it");
    } catch (IOException | InvalidPathException e) {
      throw problem(configKey, file, "it cannot be read: " + e.getMessage());
    }
  }

  /** Which version of a file is there, without a look into it; blocks. */
  static String version(String file) {
    try {
      BasicFileAttributes now = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
      return now.size() + " " + now.lastModifiedTime() + " " + now.fileKey();
    } catch (IOException | InvalidPathException e) {
      return "unreadable";
    }
  }

  /**
   * Its certificates, in their order.
   *
   * @throws ConfigException if there is none
   */
  List<X509Certificate> certificates() {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509Certificate> found =
          factory.generateCertificates(in()).stream().map(X509Certificate.class::cast).toList();
      if (found.isEmpty()) {
        throw problem("it holds no certificate as PEM");
      }
      return found;
    } catch (CertificateException e) {
      throw problem("it holds no certificate as PEM: " + TlsKnock.reason(e));
    }
  }

  InputStream in() {
    return new ByteArrayInputStream(bytes);
  }

  ConfigException problem(String what) {
    return problem(configKey, file, what);
  }

  private static ConfigException problem(String configKey, String file, String what) {
    return new ConfigException(List.of("%s: '%s': %s".formatted(configKey, file, what)));
  }
}
