package io.galop.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.config.ConfigLoader;
import io.galop.config.ingest.PollSourceConfig;
import io.galop.ingest.BackEnd;
import io.galop.ingest.OpenDoors;
import io.galop.servers.StoreProxy;
import io.galop.servers.TlsFront;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One request after another to a server that is slow at times. */
@Timeout(60)
class PollRequestTest {
  @TempDir private Path directory;

  private static PollSourceConfig source(String url, Path certificate) {
    String source =
        "{name: s, url: '%s', timeoutMs: 400, topic: 'r/{id}', tls: {caFile: '%s'}}"
            .formatted(url, certificate);
    List<String> sets = List.of("ingest.poll.sources=[" + source + "]");
    return ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of())
        .ingest()
        .poll()
        .sources()
        .get(0);
  }

  private static CompletableFuture<PollRequest.Reply> send(Vertx vertx, PollRequest request) {
    CompletableFuture<PollRequest.Reply> reply = new CompletableFuture<>();
    vertx.runOnContext(
        now ->
            request
                .send(Map.of())
                .onSuccess(reply::complete)
                .onFailure(reply::completeExceptionally));
    return reply;
  }

  /** Nobody waits for the answer any more when the connection is there at last. */
  @Test
  void aConnectionThatComesTooLateIsGivenUp() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (BackEnd backEnd = new BackEnd();
        TlsFront front = new TlsFront(directory, backEnd.port());
        StoreProxy proxy = new StoreProxy(front.port())) {
      String url = "https://localhost:" + proxy.port() + "/x";
      PollRequest request = new PollRequest(vertx, source(url, front.certificate()));
      OpenDoors.await(() -> isAnswered(vertx, request));
      proxy.cut(true);
      proxy.blackHole();
      proxy.cut(false);
      int before = backEnd.requests.get();
      for (int n = 0; n < 3; n++) {
        assertThrows(
            ExecutionException.class, () -> send(vertx, request).get(20, TimeUnit.SECONDS));
      }
      proxy.pass();
      Thread.sleep(1_000);
      assertEquals(before, backEnd.requests.get(), "a request that was given up is sent");
      OpenDoors.await(() -> isAnswered(vertx, request));
      assertEquals(1, backEnd.mostAtOnce.get());
    } finally {
      vertx.close().await();
    }
  }

  private static boolean isAnswered(Vertx vertx, PollRequest request) {
    try {
      return send(vertx, request).get(20, TimeUnit.SECONDS).isModified();
    } catch (ExecutionException | InterruptedException | TimeoutException again) {
      return false;
    }
  }
}
