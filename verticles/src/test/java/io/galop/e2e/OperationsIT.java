package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators do with a node and with what it leaves behind. */
@Timeout(180)
class OperationsIT {
  private static final String NDJSON = "application/x-ndjson";
  private static final int RECORDS = 200;
  @TempDir Path directory;

  @Test
  void theLogOfAKilledNodeIsSoundAndAnotherNodeTakesWhatItHeld() throws Exception {
    Path data = directory.resolve("first");
    List<Seen> before;
    try (GalopProcess node = GalopProcess.run(data, List.of(), List.of())) {
      publish(node, lines());
      String status = Cli.ok("status", "--url", "http://" + node.address("management"));
      assertTrue(status.contains("acknowledged " + RECORDS), status);
      before = Stored.history(node.http("/history/plant/%23?limit=1000"));
      Cli.Ended refused = Cli.run("log", "verify", "--data-dir", data.toString());
      assertEquals(1, refused.code(), refused.text());
      assertTrue(refused.text().contains("stop the node"), refused.text());
      node.kill();
    }
    String verified = Cli.ok("log", "verify", "--data-dir", data.toString());
    assertTrue(verified.contains(RECORDS + " records"), verified);
    String exported = Cli.ok("log", "export", "--data-dir", data.toString(), "--filter", "plant/#");
    Path other = directory.resolve("second");
    try (GalopProcess node = GalopProcess.run(other, List.of(), List.of())) {
      publish(node, exported + "\n");
      List<Seen> after = Stored.history(node.http("/history/plant/%23?limit=1000"));
      assertEquals(RECORDS, before.size());
      assertEquals(new HashSet<>(before), new HashSet<>(after));
    }
  }

  private static String lines() {
    return IntStream.range(0, RECORDS)
        .mapToObj(
            "{\"topic\":\"plant/%1$d\",\"id\":\"id%1$d\",\"data\":{\"bar\":%1$d}}\n"::formatted)
        .collect(Collectors.joining());
  }

  private static void publish(GalopProcess node, String lines) throws Exception {
    HttpResponse<String> answer = Stored.post(node.http("/publish"), NDJSON, lines);
    assertEquals(2, answer.statusCode() / 100, answer.body());
  }

  @Test
  void aScriptIsTestedAndTriedWithoutANode() throws Exception {
    String tested = Cli.ok("script", "test", "betfair.js");
    assertTrue(tested.contains("0 failed"), tested);
    Cli.Ended nothing = Cli.run("status", "--url", "http://127.0.0.1:1");
    assertEquals(1, nothing.code(), nothing.text());
    assertEquals("galop: no node at http://127.0.0.1:1; is one running there?", nothing.text());
  }
}
