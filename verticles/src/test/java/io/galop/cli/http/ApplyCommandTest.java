package io.galop.cli.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.cli.TestConsole;
import io.galop.servers.Http1;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is said of what a node answers to a configuration. */
@Timeout(60)
class ApplyCommandTest {
  private final Vertx vertx = Vertx.vertx();

  @TempDir Path directory;

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private String said(String answer, String... more) throws Exception {
    HttpServer server =
        vertx
            .createHttpServer(Http1.options())
            .requestHandler(request -> request.response().end(answer))
            .listen(0, "127.0.0.1")
            .await();
    Path file = Files.writeString(directory.resolve("next.yaml"), "{}");
    TestConsole console = new TestConsole();
    String url = "http://127.0.0.1:" + server.actualPort();
    List<String> arguments = new ArrayList<>(List.of("apply", file.toString()));
    arguments.addAll(List.of("--url", url));
    arguments.addAll(List.of(more));
    assertEquals(0, console.run(arguments.toArray(String[]::new)), console.err());
    return console.out();
  }

  @Test
  void whatIsOnlyTakenAgainIsSaid() throws Exception {
    String torn = "{'applied':[],'again':['enrich.chain','broadcast.limits'],'refused':[]}";
    String why =
        "again, since an earlier change was taken in part: enrich.chain, broadcast.limits\n";
    assertEquals("applied " + why, said(torn.replace('\'', '"')));
    assertEquals("would be applied " + why, said(torn.replace('\'', '"'), "--dry-run"));
  }

  @Test
  void aNodeOfAnOlderVersionTellsNothingOfIt() throws Exception {
    String answer = "{\"applied\":[],\"refused\":[]}";
    assertEquals("the node has this configuration already\n", said(answer));
  }
}
