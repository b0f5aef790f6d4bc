package io.galop.cli.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ReplayCommandTest {
  @TempDir private Path dir;
  private final TestConsole console = new TestConsole();

  private Path file(int lines) throws IOException {
    String text =
        IntStream.rangeClosed(1, lines)
            .mapToObj(i -> "{\"pt\":" + (1_600_000_000_000L + i) + ",\"n\":" + i + "}\n")
            .collect(Collectors.joining());
    return Files.writeString(dir.resolve("day.jsonl"), text);
  }

  private int replay(FakeDoor door, Path file, String... more) {
    List<String> args =
        new ArrayList<>(
            List.of("replay", file.toString(), "--topic", "odds/raw", "--to", door.address()));
    args.addAll(List.of("--speed", "max"));
    args.addAll(List.of("--resume-file", dir.resolve("resume.json").toString()));
    args.addAll(Arrays.asList(more));
    return console.run(args.toArray(String[]::new));
  }

  private static String acked(int n) {
    return "{\"acked\":" + n + "}";
  }

  private static List<Integer> numbers(FakeDoor door) {
    return door.lines().stream().map(line -> line.getJsonObject("data").getInteger("n")).toList();
  }

  @Test
  void theSameFileOnAnotherTopicIsOtherRecords() {
    String hash = FileHash.ofText("content");
    assertEquals(ReplayCommand.idBase(hash, "a"), ReplayCommand.idBase(hash, "a"));
    assertNotEquals(ReplayCommand.idBase(hash, "a"), ReplayCommand.idBase(hash, "b"));
  }

  @Test
  void sendsEveryLineWithTopicTimeAndStableId() throws IOException {
    Path file = file(3);
    String hash = ReplayCommand.idBase(FileHash.of(file), "odds/raw");
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      assertEquals(0, replay(door, file), console.err());
      assertEquals(
          new JsonObject()
              .put("topic", "odds/raw")
              .put("id", hash + ":2")
              .put("time", 1_600_000_000_002_000L)
              .put("data", new JsonObject().put("pt", 1_600_000_000_002L).put("n", 2)),
          door.lines().get(1));
      assertEquals(List.of(1, 2, 3), numbers(door));
    }
    assertTrue(
        console.out().startsWith("replayed 3 lines, 3 acknowledged, 0 rejected in "),
        console.out());
  }

  @Test
  void moreLinesThanTheWindowHoldsAllArrive() throws IOException {
    try (FakeDoor door = new FakeDoor((n, line) -> n % 1000 == 0 ? acked(n) : "")) {
      assertEquals(0, replay(door, file(10_000)), console.err());
      assertEquals(IntStream.rangeClosed(1, 10_000).boxed().toList(), numbers(door));
    }
  }

  @Test
  void aLostConnectionIsOpenedAgainAndUnansweredLinesSentAgain() throws IOException {
    AtomicInteger taken = new AtomicInteger();
    try (FakeDoor door =
        new FakeDoor(
            (n, line) -> taken.incrementAndGet() == 60 ? null : n % 25 == 0 ? acked(n) : "")) {
      assertEquals(0, replay(door, file(100)), console.err());
      assertEquals(2, door.connections());
      assertEquals(100, Set.copyOf(numbers(door)).size());
      assertEquals(List.of(51, 52), numbers(door).subList(59, 61));
    }
    assertTrue(console.err().contains("going on after line 50"), console.err());
  }

  @Test
  void withoutADoorItGivesUpAndTheNextRunGoesOn() throws IOException {
    Path file = file(100);
    try (FakeDoor door = new FakeDoor((n, line) -> n > 30 ? null : acked(n))) {
      assertEquals(1, replay(door, file, "--retry-seconds", "0"));
      assertTrue(console.err().contains("continues after line 30"), console.err());
    }
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      assertEquals(0, replay(door, file), console.err());
      assertEquals(IntStream.rangeClosed(31, 100).boxed().toList(), numbers(door));
    }
    assertTrue(console.err().contains("going on after line 30 of"), console.err());
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      assertEquals(0, replay(door, file), console.err());
      assertEquals(100, door.lines().size());
    }
  }

  @Test
  void noResumeBeginsAtTheFirstLine() throws IOException {
    Path file = file(10);
    try (FakeDoor door = new FakeDoor((n, line) -> n > 3 ? null : acked(n))) {
      assertEquals(1, replay(door, file, "--retry-seconds", "0"));
    }
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      assertEquals(0, replay(door, file, "--no-resume"), console.err());
      assertEquals(10, door.lines().size());
    }
  }

  @Test
  void refusedAndMalformedLinesAreNamedAndTheRestGoesOn() throws IOException {
    Path file = Files.writeString(dir.resolve("bad.jsonl"), "{\"n\":1}\n{oops\n{\"n\":3}\n");
    try (FakeDoor door =
        new FakeDoor(
            (n, line) ->
                n == 2
                    ? "{\"rejected\":[{\"line\":2,\"reason\":\"too_large\",\"detail\":\"by far\"}],"
                        + "\"acked\":2}"
                    : acked(n))) {
      assertEquals(1, replay(door, file));
    }
    assertTrue(console.err().contains("line 2 rejected: malformed: it is no valid JSON"));
    assertTrue(console.err().contains("line 3 rejected: too_large: by far"), console.err());
    assertTrue(
        console.out().startsWith("replayed 3 lines, 1 acknowledged, 2 rejected"), console.out());
  }

  @Test
  void aLineThatMayBeTakenLaterIsSentAgain() throws IOException {
    AtomicInteger full = new AtomicInteger();
    try (FakeDoor door =
        new FakeDoor(
            (n, line) ->
                n == 4 && full.incrementAndGet() == 1
                    ? "{\"rejected\":[{\"line\":4,\"reason\":\"over_quota\",\"detail\":\"full\"}],"
                        + "\"acked\":4}"
                    : acked(n))) {
      assertEquals(0, replay(door, file(10)), console.err());
      assertEquals(IntStream.rangeClosed(1, 10).boxed().toList(), distinct(numbers(door)));
      assertTrue(Collections.frequency(numbers(door), 4) >= 2, "sent again");
    }
    assertTrue(console.err().contains("over_quota: full; trying again"), console.err());
    assertTrue(console.out().startsWith("replayed 10 lines, 10 acknowledged, 0 rejected"));
  }

  private static List<Integer> distinct(List<Integer> numbers) {
    return numbers.stream().distinct().toList();
  }

  @Test
  void aDoorThatWantsATokenIsNotAskedAgain() throws IOException {
    try (FakeDoor door =
        new FakeDoor((n, line) -> n > 1 ? null : "{\"acked\":0,\"error\":\"no token\"}")) {
      assertEquals(1, replay(door, file(3)));
      assertEquals(1, door.connections());
    }
    assertTrue(console.err().contains("refuses: no token"), console.err());
  }

  @Test
  void theTokenIsTheFirstLine() throws IOException {
    try (FakeDoor door = new FakeDoor((n, line) -> line.containsKey("token") ? "" : acked(n - 1))) {
      assertEquals(0, replay(door, file(2), "--token", "sesame"), console.err());
      assertEquals(new JsonObject().put("token", "sesame"), door.lines().get(0));
    }
  }

  private int replayRecords(FakeDoor door, Path file, String... more) {
    List<String> args = new ArrayList<>(List.of("replay", file.toString(), "--no-resume"));
    args.addAll(List.of("--speed", "max", "--to", door.address()));
    args.addAll(Arrays.asList(more));
    return console.run(args.toArray(String[]::new));
  }

  private Path records() throws IOException {
    return Files.writeString(
        dir.resolve("records.ndjson"),
        """
        {"id":"a","topic":"plant/1","time":1700000000000001,"data":{"n":1.50},"pos":"3.7-1"}
        {"topic":"plant/\\u00e9","pos":"","data":{"n":2},"time":7,"id":"b\\"#1"}
        {"topic":"plant/3","data":{"n":3}}
        """);
  }

  @Test
  void whatGalopPrintsGoesBackToItsOwnTopics() throws IOException {
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      assertEquals(0, replayRecords(door, records()), console.err());
      assertEquals(
          List.of(
              "{\"topic\":\"plant/1\",\"id\":\"a\",\"time\":1700000000000001,\"data\":{\"n\":1.5}}",
              "{\"topic\":\"plant/é\",\"id\":\"b\\\".1\",\"time\":7,\"data\":{\"n\":2}}"),
          door.lines().subList(0, 2).stream().map(JsonObject::encode).toList());
      assertEquals(Set.of("topic", "id", "data"), door.lines().get(2).fieldNames());
    }
  }

  @Test
  void topicGoesBeforeTheTopicsOfTheFileAndThePrefixBeforeItsIds() throws IOException {
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      String[] more = {"--topic", "copy", "--id-prefix", "x-"};
      assertEquals(0, replayRecords(door, records(), more), console.err());
      assertEquals("copy/plant/1", door.lines().get(0).getString("topic"));
      assertEquals("x-a", door.lines().get(0).getString("id"));
      assertTrue(door.lines().get(2).getString("id").matches("x-[0-9a-f]{16}:3"));
    }
    assertTrue(console.err().contains("their topics go below copy/"), console.err());
  }

  @Test
  void theFormatSaysWhatLinesAre() throws IOException {
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      String[] more = {"--topic", "t", "--format", "data"};
      assertEquals(0, replayRecords(door, records(), more), console.err());
      assertEquals("t", door.lines().get(0).getString("topic"));
      assertEquals("plant/1", door.lines().get(0).getJsonObject("data").getString("topic"));
      assertEquals(2, replayRecords(door, file(3)));
      assertTrue(console.err().contains("have no topics; name one: --topic"), console.err());
      assertEquals(2, replayRecords(door, records(), "--map", "time=t"));
      assertEquals(1, replayRecords(door, file(2), "--format", "envelope"));
      assertTrue(console.err().contains("it has a field 'pt'; a record has topic"), console.err());
    }
  }

  @Test
  void wrongOptionsAreWrongUsage() throws IOException {
    Path csv = Files.writeString(dir.resolve("a.csv"), "a,b\n1,2\n");
    try (FakeDoor door = new FakeDoor((n, line) -> acked(n))) {
      assertEquals(2, replay(door, csv, "--map", "time=when"));
      assertTrue(console.err().contains("has no column 'when'"), console.err());
      assertEquals(2, console.run("replay", csv.toString()));
      assertEquals(2, console.run("replay", csv.toString(), "--topic", "t", "--speed", "quick"));
    }
  }

  @Test
  void anAnswerWithANullEndsTheReplay() throws IOException {
    try (FakeDoor door = new FakeDoor((n, line) -> "{\"acked\":null}")) {
      assertEquals(1, replay(door, file(1), "--retry-seconds", "1"));
      assertTrue(console.err().contains("not that of a tcp door"), console.err());
    }
  }
}
