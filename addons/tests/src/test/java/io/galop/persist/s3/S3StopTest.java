package io.galop.persist.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.galop.config.ConfigLoader;
import io.galop.config.persist.S3Config;
import io.galop.persist.archive.ArchiveStores;
import io.galop.persist.archive.UploadException;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the end of a node does to an upload that is under way. */
@Timeout(180)
class S3StopTest {
  private static final long LOG = 7;

  @TempDir Path directory;
  private final List<String> objects = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private volatile boolean answersFiles;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange asked) throws IOException {
    asked.getRequestBody().readAllBytes();
    String name = asked.getRequestURI().getPath();
    if (name.endsWith(".gz") && !answersFiles) {
      hanging.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (answersFiles || !name.endsWith(".gz")) {
      objects.add(name);
      asked.sendResponseHeaders(200, -1);
    }
    asked.close();
  }

  /** Each batch finishes a file; an upload may take longer than this test. */
  private S3Config config() {
    String store =
        "persist.cold.stores=[{s3: {endpoint: 'http://127.0.0.1:%d', bucket: feed, pathStyle:"
            + " true, login: {user: galop, password: x}, directory: '%s', maxFileBytes: 1024,"
            + " timeoutMs: 600000}}]";
    String set = store.formatted(server.getAddress().getPort(), directory);
    return (S3Config)
        ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of())
            .persist()
            .cold()
            .stores()
            .get(0);
  }

  private static StoreBatch batch() {
    String noise = new Random(1).ints(400).boxed().toList().toString();
    byte[] data = "{\"noise\":%s}".formatted(noise).getBytes(StandardCharsets.UTF_8);
    Placed placed = new Placed(new Position(0, 1, 0), new Record("a", "race/1", 0, data));
    return new StoreBatch(LOG, List.of(placed), 100, Optional.of(new LogPosition(1, 1)));
  }

  private static <T> T get(Future<T> answer) throws Exception {
    return answer.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** The upload has had the time that the end of a node gives to all. */
  @Test
  void itIsCutOffAndMadeAgainAfterTheNextStart() throws Exception {
    S3Config config = config();
    Store store = ArchiveStores.onThread(config.archive(), new S3Store(config, Duration.ZERO));
    get(store.open(LOG));
    Future<Integer> written = store.write(batch());
    assertTrue(hanging.await(60, TimeUnit.SECONDS));
    store.stopping();
    ExecutionException told = assertThrows(ExecutionException.class, () -> get(written));
    assertEquals(UploadException.class, told.getCause().getClass());
    assertTrue(told.getMessage().contains("before the node's end"), told.getMessage());
    store.close();
    assertEquals(1, objects.size(), "only the trial: " + objects);
    answersFiles = true;
    Store next = ArchiveStores.onThread(config.archive(), new S3Store(config));
    assertEquals(Optional.of(new LogPosition(1, 1)), get(next.open(LOG)));
    assertEquals(3, objects.size(), "another trial, and the file: " + objects);
    next.close();
  }

  /** It may go on for a few seconds. */
  @Test
  void itIsNotCutOffWhereItHasJustBegun() throws Exception {
    S3Config config = config();
    S3Store s3 = new S3Store(config, Duration.ofSeconds(120));
    Store store = ArchiveStores.onThread(config.archive(), s3);
    get(store.open(LOG));
    Future<Integer> written = store.write(batch());
    assertTrue(hanging.await(60, TimeUnit.SECONDS));
    store.stopping();
    answersFiles = true;
    end.countDown();
    assertEquals(1, get(written));
    store.close();
    assertEquals(2, objects.size(), "the trial, and the file: " + objects);
  }
}
