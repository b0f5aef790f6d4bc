package io.galop.persist.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.galop.config.ConfigLoader;
import io.galop.config.persist.S3Config;
import io.galop.persist.archive.UploadException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.galop.servers.StoreProxy;
import io.galop.servers.TlsFront;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of files and records whatever a server answers; a stand-in that can be told to. */
@Timeout(120)
class S3StoreTest {
  private static final long LOG = 7;
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private String endpoint = "";

  /** What it answers; empty: it does what it is asked to. */
  private volatile String failure = "";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
    endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange asked) throws IOException {
    byte[] body = asked.getRequestBody().readAllBytes();
    if (failure.equals("cut")) {
      throw new IOException("the connection is closed without an answer");
    }
    if (failure.equals("hang")) {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    } else if (failure.isEmpty()) {
      boolean isWhole = md5(body).equals(asked.getRequestHeaders().getFirst("Content-MD5"));
      objects.put(asked.getRequestURI().getPath(), body);
      asked.sendResponseHeaders(isWhole && asked.getRequestMethod().equals("PUT") ? 200 : 400, -1);
    } else {
      String[] status = failure.split(" ");
      byte[] said =
          "<Error><Code>%s</Code><Message>so it is</Message></Error>"
              .formatted(status[1])
              .getBytes(StandardCharsets.UTF_8);
      asked.sendResponseHeaders(Integer.parseInt(status[0]), said.length);
      asked.getResponseBody().write(said);
    }
    asked.close();
  }

  private static String md5(byte[] bytes) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each batch finishes a file. */
  private S3Config config(String more) {
    return config(more, "password: x", 1024);
  }

  private S3Config config(String more, String key, int maxFileBytes) {
    String store =
        "persist.cold.stores=[{s3: {endpoint: '%s', bucket: feed, prefix: north/,"
            + " pathStyle: true, login: {user: galop, %s}, directory: '%s', maxOpenFiles:"
            + " 1, maxFileBytes: %d%s}}]";
    String set = store.formatted(endpoint, key, directory, maxFileBytes, more);
    return (S3Config)
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
            .persist()
            .cold()
            .stores()
            .get(0);
  }

  /** Records of which each is too large for the file that it is in. */
  private static StoreBatch batch(int from, int to) {
    List<Placed> records = new ArrayList<>();
    for (int n = from; n < to; n++) {
      String noise = new java.util.Random(n).ints(400).boxed().toList().toString();
      byte[] data = "{\"n\":%d,\"noise\":%s}".formatted(n, noise).getBytes(StandardCharsets.UTF_8);
      Record record = new Record("id-" + n, "race/%d/odds".formatted(n % 2), 0, data);
      records.add(new Placed(new Position(0, 1, n), record));
    }
    return new StoreBatch(LOG, records, 100, Optional.of(new LogPosition(1, to)));
  }

  private List<Integer> numbers() throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (Map.Entry<String, byte[]> object : objects.entrySet()) {
      if (object.getKey().endsWith(".ndjson.gz")) {
        ByteArrayInputStream bytes = new ByteArrayInputStream(object.getValue());
        String lines =
            new String(new GZIPInputStream(bytes).readAllBytes(), StandardCharsets.UTF_8);
        lines
            .lines()
            .forEach(
                line ->
                    numbers.add(
                        new io.vertx.core.json.JsonObject(line)
                            .getJsonObject("data")
                            .getInteger("n")));
      }
    }
    return numbers.stream().sorted().toList();
  }

  private static List<Integer> below(int end) {
    return IntStream.range(0, end).boxed().toList();
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.endsWith("state.json"))
          .toList();
    }
  }

  @Test
  void aFinishedFileIsAnObjectAndGoneHere() throws Exception {
    S3Store store = new S3Store(config(", prefixLevels: 2"));
    assertEquals(Optional.empty(), store.open(LOG));
    assertTrue(objects.containsKey("/feed/north/.galop/s3"), objects.keySet().toString());
    assertEquals(4, store.write(batch(0, 4)));
    assertEquals(List.of(), parts());
    assertEquals(below(4), numbers());
    for (String name : objects.keySet().stream().filter(one -> one.endsWith(".gz")).toList()) {
      String form = "/feed/north/prefix=race%2F[01]/date=1970-01-01/hour=00/s3-0{15}7-\\d+-\\d\\.";
      assertTrue(name.matches(form + "ndjson\\.gz"), name);
    }
    store.close();
  }

  @ParameterizedTest
  @CsvSource({
    "403 AccessDenied, the key needs s3:PutObject",
    "403 RequestTimeTooSkewed, set it by NTP",
    "403 SignatureDoesNotMatch, refuses the secret key",
    "400 ExpiredToken, which has expired",
    "404 NoSuchBucket, is not there",
    "400 AuthorizationHeaderMalformed, is in another region",
    "507 InsufficientStorage, is full",
    "cut, cannot be reached",
    "418 Teapot, '(418, Teapot so it is)'"
  })
  void whileTheBucketTakesNothingNoBatchIsTakenAndThenEachOnce(String answer, String said)
      throws Exception {
    S3Store store = new S3Store(config(""));
    store.open(LOG);
    store.write(batch(0, 3));
    failure = answer;
    Exception first = assertThrows(UploadException.class, () -> store.write(batch(3, 6)));
    assertTrue(first.getMessage().startsWith("the bucket feed at http://127.0.0.1:"), "" + first);
    assertTrue(first.getMessage().contains(said), first.getMessage());
    List<Path> waiting = parts();
    assertEquals(1, waiting.size(), "what the batch has finished");
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThrows(UploadException.class, () -> store.open(LOG));
      assertThrows(IOException.class, () -> store.write(batch(6, 9)), "it is not open");
    }
    assertEquals(waiting, parts(), "no more than before");
    failure = "";
    assertEquals(Optional.of(new LogPosition(1, 6)), store.open(LOG));
    assertEquals(0, store.write(batch(3, 6)), "it has them");
    assertEquals(3, store.write(batch(6, 9)));
    assertEquals(List.of(), parts());
    assertEquals(below(9), numbers());
    store.close();
  }

  @Test
  void aServerThatHangsIsGivenUp() throws Exception {
    S3Store store = new S3Store(config(", timeoutMs: 3000"));
    openWhenever(store);
    failure = "hang";
    Exception told = assertThrows(UploadException.class, () -> store.write(batch(0, 2)));
    assertTrue(told.getMessage().contains("within timeoutMs (3000)"), told.getMessage());
    store.close();
  }

  /** The first call loads classes, which may take longer than an upload is to. */
  private static void openWhenever(S3Store store) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        store.open(LOG);
        return;
      } catch (UploadException e) {
        assertTrue(attempt < 10, e.getMessage());
      }
    }
  }

  @Test
  void whatTheEndOfANodeLeavesIsUploadedAfterTheNextStart() throws Exception {
    S3Config config = config(", prefixLevels: 0", "password: x", 1_000_000);
    S3Store store = new S3Store(config, LONG);
    store.open(LOG);
    store.write(batch(0, 2));
    assertEquals(List.of(), numbers(), "it is not finished");
    failure = "403 AccessDenied";
    store.close();
    assertEquals(1, parts().size());
    failure = "";
    S3Store next = new S3Store(config, LONG);
    assertEquals(Optional.of(new LogPosition(1, 2)), next.open(LOG));
    assertEquals(below(2), numbers());
    next.write(batch(2, 4));
    next.close();
    assertEquals(below(4), numbers(), "its end finishes what it can");
    assertEquals(List.of(), parts());
  }

  @Test
  void onlyAServerThatIsTrustedGetsSomething() throws Exception {
    Path keys = Files.createDirectory(directory.resolve("keys"));
    Path trusted = TlsFront.certify(keys, "trusted");
    try (TlsFront front = new TlsFront(keys, server.getAddress().getPort())) {
      endpoint = "https://localhost:" + front.port();
      S3Store wrong = new S3Store(config(", caFile: '" + trusted + "'"));
      assertThrows(UploadException.class, () -> wrong.open(LOG));
      assertEquals(Map.of(), Map.copyOf(objects));
      S3Store right = new S3Store(config(", caFile: '" + keys.resolve("front.crt") + "'"));
      right.open(LOG);
      right.write(batch(0, 2));
      assertEquals(below(2), numbers());
      right.close();
      wrong.close();
    }
  }

  @Test
  void keysAreReadAtEachAttempt() throws Exception {
    Path secret = directory.resolve("secret");
    S3Config config = config("", "passwordFile: '" + secret + "'", 1024);
    S3Store store = new S3Store(config);
    assertThrows(IOException.class, () -> store.open(LOG), "there is no file");
    Files.writeString(secret, "now");
    store.open(LOG);
    store.close();
  }

  /** Amazon's client takes some of its failures for none of its own. */
  @Test
  void aConnectionThatIsCutAtOnceIsToldInWords() throws Exception {
    try (StoreProxy proxy = new StoreProxy(server.getAddress().getPort())) {
      endpoint = "http://127.0.0.1:" + proxy.port();
      S3Store store = new S3Store(config(""));
      store.open(LOG);
      proxy.cut(true);
      for (int attempt = 0; attempt < 3; attempt++) {
        Exception told = assertThrows(UploadException.class, () -> store.open(LOG));
        assertTrue(told.getMessage().endsWith(" cannot be reached"), told.getMessage());
      }
      proxy.pass();
      store.open(LOG);
      store.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "403 AccessDenied, the key needs s3:PutObject",
    "301 PermanentRedirect, is in another region",
    ", "
  })
  void anAnswerNeedNotWaitForTheBodyNorTheBodyForAnAnswer(String early, String said)
      throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      endpoint = "http://127.0.0.1:" + plain.getLocalPort();
      threads.execute(() -> serve(plain, early));
      S3Store store = new S3Store(config(""));
      if (early == null) {
        store.open(LOG);
        store.write(batch(0, 2));
        assertEquals(below(2), numbers());
      } else {
        Exception told = assertThrows(UploadException.class, () -> store.open(LOG));
        assertTrue(told.getMessage().contains(said), told.getMessage());
      }
      store.close();
    }
  }

  private void serve(ServerSocket plain, @Nullable String early) {
    while (!plain.isClosed()) {
      try (Socket socket = plain.accept()) {
        serve(socket, early);
      } catch (IOException e) {
        // The client has gone, or the test is over.
      }
    }
  }

  /** Answers before it reads the body, or takes it; it never says that it waits for one. */
  private void serve(Socket socket, @Nullable String early) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int read = in.read();
      if (read < 0) {
        throw new EOFException();
      }
      head.append((char) read);
    }
    int bytes =
        Integer.parseInt(head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1"));
    if (early != null) {
      String error = "<Error><Code>%s</Code></Error>".formatted(early.substring(4));
      answer(socket, early, error);
    }
    byte[] body = in.readNBytes(bytes);
    if (early == null) {
      objects.put(head.toString().split(" ")[1], body);
      boolean waits = head.toString().toLowerCase(Locale.ROOT).contains("\r\nexpect:");
      answer(socket, waits ? "417 Expectation Failed" : "200 OK", "");
    }
  }

  private static void answer(Socket socket, String status, String text) throws IOException {
    String form = "HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s";
    String answer = form.formatted(status, text.length(), text);
    socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aBucketOfNobodyIsToldInWords() throws Exception {
    endpoint = "http://127.0.0.1:1";
    S3Store store = new S3Store(config(""));
    Exception told = assertThrows(UploadException.class, () -> store.open(LOG));
    assertTrue(told.getMessage().endsWith(" cannot be reached"), told.getMessage());
    assertEquals(Map.of(), Map.copyOf(objects));
    store.close();
  }
}
