package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ingest.IngestCheck;
import io.galop.yaml.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the ring and the poll door refuse before a node starts. */
class DoorsConfigTest {
  private static final String SOURCE =
      "ingest.poll.sources=[{name: s, url: 'http://h/', topic: t%s}]";
  @TempDir private Path directory;

  private static GalopConfig load(String... sets) {
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(sets), Map.of());
  }

  private static void refused(String with, String... sets) {
    String message = assertThrows(ConfigException.class, () -> load(sets)).getMessage();
    assertTrue(message.contains(with), message);
  }

  private static void source(String with, String more) {
    refused("ingest.poll.sources[0]." + with, SOURCE.formatted(", " + more));
  }

  @Test
  void ringsHaveSizesThatFit() {
    refused(
        "ingest.ring.capacityBytes: must be a power of two", "ingest.ring.capacityBytes=100000");
    refused(
        "ingest.ring.maxMessageBytes: must be at most 8184",
        "ingest.ring.capacityBytes=65536",
        "ingest.ring.maxMessageBytes=8185");
    refused("ingest.ring.paths: must name each file once", "ingest.ring.paths=[/a, /a]");
    refused("ingest.ring.idle: must be backoff, sleep, yield or spin", "ingest.ring.idle=fast");
  }

  @Test
  void sourcesAreWhole() {
    refused(
        "ingest.poll.sources[0].url: must be given", "ingest.poll.sources=[{name: s, topic: t}]");
    refused(
        "url: must begin with http", "ingest.poll.sources=[{name: s, topic: t, url: 'ftp://h/'}]");
    refused(
        "url: must not hold a user",
        "ingest.poll.sources=[{name: s, topic: t, url: 'http://u:p@h/'}]");
    refused(
        "topic: must be a name",
        "ingest.poll.sources=[{name: s, topic: 'a/{b', url: 'http://h/'}]");
    source("body: must be empty where method is not post", "body: x");
    source("items: must be empty or names", "items: races");
    source("maxBackoffMs: must not be below intervalMs", "intervalMs: 90000");
    source("whileWatched: must be a topic filter", "whileWatched: a#");
    source("numbers: must be empty where format is not xml", "numbers: [a]");
    source("headers[0].name: must be that of a header", "headers: [{name: 'a b', value: c}]");
    source("headers[0].value: must be given once", "headers: [{name: a, value: c, valueFile: d}]");
    source("intervalms: unknown key", "intervalms: 3");
    refused(
        "ingest.poll.sources[0]: must have a name of its own",
        "ingest.poll.sources=[{name: s, url: 'http://h/', topic: t}, {name: s, url: 'http://h/',"
            + " topic: t}]");
  }

  @Test
  void presenceNamesFilters() {
    refused("ingest.presence.topics: must name each filter once", "ingest.presence.topics=[a, a]");
    refused(
        "ingest.presence.topics[1]: must not have its records on $presence/a/*, as 'a/*' has",
        "ingest.presence.topics=['a/*', 'a/+']");
    refused(
        "ingest.presence.topics[1]: must be a topic filter", "ingest.presence.topics=[a, 'b/#/c']");
    refused(
        "is longer than 52 bytes",
        "ingest.limits.maxTopicBytes=64",
        "ingest.presence.topics=['" + "x".repeat(53) + "']");
  }

  @Test
  void filesAndVariablesAreTriedBeforeTheStart() throws Exception {
    Path ring = Files.writeString(directory.resolve("ring"), "no ring");
    GalopConfig config =
        load(
            "ingest.ring.paths=[" + ring + "]",
            SOURCE.formatted(
                ", tls: {caFile: /no/ca}, headers: [{name: a, valueFile: /no/key},"
                    + " {name: b, valueVariable: GALOP_NO_SUCH}]"));
    List<String> problems = IngestCheck.problems(config);
    assertEquals(4, problems.size(), problems.toString());
    assertTrue(problems.get(0).startsWith("ingest.ring.paths[0]: the file"), problems.get(0));
    assertTrue(problems.get(1).startsWith("ingest.poll.sources[0].tls.caFile: "), problems.get(1));
    assertTrue(problems.get(2).contains("headers[0]: the file /no/key cannot be"), problems.get(2));
    assertTrue(problems.get(3).contains("GALOP_NO_SUCH is not set"), problems.get(3));
  }
}
