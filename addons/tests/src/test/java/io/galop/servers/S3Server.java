package io.galop.servers;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An object store with logins as a process of its own (S3Proxy), on a free port, its buckets in a
 * scratch directory. It knows the access key {@code galop}.
 */
public final class S3Server implements AutoCloseable {
  private static final int SECONDS = 120;
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final Path directory = Scratch.directory("galop-s3");
  private final int port = Ports.free();
  private Child child;

  /** Starts one with an empty bucket and waits until it answers. */
  public S3Server(String bucket, String secret) throws IOException {
    Files.createDirectories(directory.resolve("data").resolve(bucket));
    start(secret);
  }

  /** Starts with a secret key on the data of before. */
  public void start(String secret) throws IOException {
    Path settings =
        Files.writeString(
            directory.resolve("s3proxy.properties"),
            """
            s3proxy.endpoint=http://127.0.0.1:%d
            s3proxy.authorization=aws-v2-or-v4
            s3proxy.identity=galop
            s3proxy.credential=%s
            jclouds.provider=filesystem-nio2
            jclouds.identity=none
            jclouds.credential=none
            jclouds.filesystem.basedir=%s
            """
                .formatted(port, secret, directory.resolve("data")));
    Path jars = Path.of(System.getProperty("galop.s3.jars", "target/s3-server")).toAbsolutePath();
    child =
        new Child(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-cp",
                jars + File.separator + "*",
                "org.gaul.s3proxy.Main",
                "--properties",
                settings.toString()),
            directory.resolve("server.out"));
    if (!child.awaitAnswer(SECONDS, this::isUp)) {
      child.kill();
      throw new AssertionError(
          "S3Proxy did not start: "
              + child.lastFailure()
              + "\n"
              + Child.tail(directory.resolve("server.out")));
    }
  }

  /** Whatever it says, it answers. */
  private boolean isUp() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint())).timeout(ANSWER).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode() > 0;
  }

  public int port() {
    return port;
  }

  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** The objects of a bucket that begin so, as the server keeps them, and end so. */
  public List<Path> objects(String bucket, String prefix, String end) throws IOException {
    Path under = directory.resolve("data").resolve(bucket).resolve(prefix);
    return files(under, end);
  }

  /** Files below a directory, sorted; others may come and go meanwhile. */
  public static List<Path> files(Path under, String end) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        under,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(end)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path gone, IOException failure) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found.stream().sorted().toList();
  }

  /** {@code kill -9}. */
  public void kill() {
    child.kill();
  }

  @Override
  public void close() {
    child.kill();
    Scratch.delete(directory);
  }
}
