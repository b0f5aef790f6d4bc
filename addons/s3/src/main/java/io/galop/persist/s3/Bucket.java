package io.galop.persist.s3;

import io.galop.config.persist.S3Config;
import io.galop.persist.archive.Upload;
import io.galop.persist.archive.UploadException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * A bucket that takes files, each by a single PUT: the object is there whole or not at all, and no
 * parts are left behind. The server compares the bytes with their MD5. Calls come one after the
 * other, except {@link #endWithin} and {@link #disconnect}.
 */
final class Bucket implements Upload {
  /** Where an object stands that says that Galop may write; tools skip what begins with a dot. */
  private static final String TRIAL = ".galop/";

  private static final int BUFFER_BYTES = 64 * 1024;

  private final S3Config config;
  private final String where;
  private volatile @Nullable S3Client client;
  private volatile @Nullable EndableHttp http;
  private volatile @Nullable Long begunNs;
  private volatile @Nullable Long endNs;

  Bucket(S3Config config) {
    this.config = config;
    String at = config.endpoint().isEmpty() ? "Amazon, " + config.region() : config.endpoint();
    this.where = "the bucket " + config.bucket() + " at " + at;
  }

  /**
   * Makes a client, with the keys as they are now, and tries whether it may write.
   *
   * @throws IOException if not, with what an operator can do about it
   */
  void connect() throws IOException {
    disconnect();
    EndableHttp made = S3Clients.http(config);
    http = made;
    client = S3Clients.of(config, made);
    byte[] text = "Galop can write here.\n".getBytes(StandardCharsets.UTF_8);
    MessageDigest md5 = md5();
    md5.update(text);
    put(TRIAL + config.name(), "text/plain", md5, RequestBody.fromBytes(text));
  }

  @Override
  public void put(Path file, String name) throws IOException {
    MessageDigest md5 = md5();
    try (InputStream bytes = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
        md5.update(buffer, 0, read);
      }
    }
    put(name, "application/gzip", md5, RequestBody.fromFile(file));
  }

  private void put(String name, String type, MessageDigest md5, RequestBody body)
      throws UploadException {
    S3Client now = client;
    if (now == null) {
      throw new UploadException(where + " is not connected");
    }
    begunNs = System.nanoTime();
    Duration limit = limit();
    PutObjectRequest request =
        PutObjectRequest.builder()
            .bucket(config.bucket())
            .key(config.prefix() + name)
            .contentType(type)
            .contentMD5(Base64.getEncoder().encodeToString(md5.digest()))
            .overrideConfiguration(each -> each.apiCallTimeout(limit))
            .build();
    try {
      now.putObject(request, body);
    } catch (SdkException | UncheckedIOException e) { // the latter of a cut connection
      throw new UploadException(
          hasEnded() ? tooLate() : where + ' ' + S3Fault.of(e, config.timeoutMs()), e);
    } finally {
      begunNs = null;
    }
  }

  private Duration limit() throws UploadException {
    Duration usual = Duration.ofMillis(config.timeoutMs());
    Long end = endNs;
    if (end == null) {
      return usual;
    }
    Duration left = Duration.ofNanos(end - System.nanoTime());
    if (left.toMillis() <= 0) {
      throw new UploadException(tooLate());
    }
    return left.compareTo(usual) < 0 ? left : usual;
  }

  private boolean hasEnded() {
    Long end = endNs;
    return end != null && end - System.nanoTime() <= 0;
  }

  private String tooLate() {
    return where + " has not taken all before the node's end";
  }

  /**
   * From now on uploads have so much time all together, what one that is under way has had counts:
   * who does not answer is not waited for. The first call holds. From any thread.
   */
  synchronized void endWithin(Duration left) {
    if (endNs != null) {
      return;
    }
    Long begun = begunNs;
    long now = System.nanoTime();
    long end = (begun == null ? now : begun) + left.toNanos();
    endNs = end;
    if (end - now <= 0) {
      end();
    } else {
      CompletableFuture.delayedExecutor(end - now, TimeUnit.NANOSECONDS).execute(this::end);
    }
  }

  private void end() {
    EndableHttp now = http;
    if (now != null) {
      now.end();
    }
  }

  /** Gives the connections back. From any thread. */
  void disconnect() {
    S3Client old = client;
    EndableHttp oldHttp = http;
    client = null;
    http = null;
    if (old != null) {
      old.close();
    }
    if (oldHttp != null) {
      oldHttp.close();
    }
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has MD5", e);
    }
  }
}
