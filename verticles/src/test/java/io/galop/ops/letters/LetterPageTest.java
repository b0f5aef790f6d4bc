package io.galop.ops.letters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.record.DeadLetterData;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The letters of several nodes become one list, without holes, and are told. */
class LetterPageTest {
  private static final String SCRIPT = "$dead-letter/script/s";

  static Placed letter(String topic, String id, long timeUs, String data) {
    Record record = new Record(id, "odds/raw", timeUs, data.getBytes(UTF_8));
    byte[] of = DeadLetterData.of(record, Reason.SCRIPT_FAILED, "boom");
    Record letter = new Record(id + "#0", topic, timeUs, of);
    return new Placed(new Position(0, 1, timeUs), letter);
  }

  private static Page page(String next, long... timesUs) {
    List<Placed> records =
        Arrays.stream(timesUs).mapToObj(us -> letter(SCRIPT, "r" + us, us, "{}")).toList();
    return new Page(true, Position.none(0), next, records, List.of());
  }

  private static List<Long> times(LetterPage page) {
    return page.letters().stream().map(placed -> placed.record().timeUs()).toList();
  }

  @Test
  void eachLetterIsThereOnceInTheOrderThatIsAskedFor() {
    Map<String, Page> newest = Map.of("a", page("", 9, 7, 5), "b", page("", 8, 7));
    LetterPage page = LetterPage.of(newest, Set.of(), true);
    assertEquals(List.of(9L, 8L, 7L, 5L), times(page));
    assertEquals(Optional.empty(), page.next());
    assertEquals(List.of(9L, 8L), times(page.first(2)));
    assertEquals("8:r8#0\t" + SCRIPT, page.first(2).next().orElseThrow().text());
    Map<String, Page> oldest = Map.of("a", page("", 5, 7, 9), "b", page("", 7, 8));
    assertEquals(List.of(5L, 7L, 8L, 9L), times(LetterPage.of(oldest, Set.of(), false)));
  }

  @Test
  void nothingIsShownFromBehindAPageThatGoesOn() {
    Map<String, Page> pages = Map.of("a", page("on", 9, 7), "b", page("", 8, 3));
    LetterPage page = LetterPage.of(pages, Set.of("c"), true);
    assertEquals(List.of(9L, 8L, 7L), times(page));
    assertEquals(7, page.next().orElseThrow().timeUs());
    assertEquals(List.of("c"), List.copyOf(page.missing()));
    LetterPage two =
        LetterPage.of(Map.of("a", page("on", 9, 7), "b", page("on", 8)), Set.of(), true);
    assertEquals(List.of(9L, 8L), times(two));
    LetterPage up =
        LetterPage.of(Map.of("a", page("on", 3, 4), "b", page("", 2, 9)), Set.of(), false);
    assertEquals(List.of(2L, 3L, 4L), times(up));
  }

  /** As of a node whose store passes over much that is no letter. */
  @Test
  void aPageWithoutLettersThatGoesOnIsNotTheEnd() {
    List<String> asked = new ArrayList<>();
    List<Page> pages = List.of(page("!redis!9:x\todds/raw"), page("8:y\todds/raw"), page("", 7));
    Page found = turns(asked, pages, Long.MAX_VALUE);
    assertEquals(List.of("", "!redis!9:x\todds/raw", "8:y\todds/raw"), asked);
    LetterPage whole = LetterPage.of(Map.of("a", found, "b", page("", 3)), Set.of(), true);
    assertEquals("[7, 3] [] Optional.empty", shown(whole));
  }

  @Test
  void aNodeThatIsNotReadToItsEndIsNamedAndTheListGoesOnThere() {
    List<String> asked = new ArrayList<>();
    Page unfinished = turns(asked, List.of(page("!redis!6:x\todds/raw"), page("", 5)), -1);
    assertEquals(1, asked.size(), "its time was over");
    Map<String, Page> pages = Map.of("a", unfinished, "b", page("", 9, 7, 5, 3));
    LetterPage page = LetterPage.of(pages, Set.of(), true);
    assertEquals("[9, 7] [a] 6", shown(page), "a may have some between 7 and 5");
    LetterPlace on = page.next().orElseThrow();
    assertEquals(on, asked("before", on.text()).before().orElseThrow());
    Page endless = turns(asked, Collections.nCopies(1_000, page("5:x")), Long.MAX_VALUE);
    assertEquals("[] [a] 5", shown(LetterPage.of(Map.of("a", endless), Set.of(), false)));
  }

  private static Page turns(List<String> asked, List<Page> pages, long patienceNanos) {
    int before = asked.size();
    Function<HistoryQuery, Future<Page>> node =
        query -> {
          asked.add(query.next());
          return Future.succeededFuture(pages.get(asked.size() - before - 1));
        };
    long endNanos = System.nanoTime() + Math.min(patienceNanos, Long.MAX_VALUE / 4);
    HistoryQuery query = new HistoryQuery("$dead-letter/#", 0, 10, 50, true, "");
    return new NodeLetters(node, endNanos).page(query).result();
  }

  private static String shown(LetterPage page) {
    String next = page.next().map(last -> "" + last.timeUs()).orElse("Optional.empty");
    return times(page) + " " + List.copyOf(page.missing()) + " " + next;
  }

  @Test
  void ofEqualTimesTheBytesOfTheIdDecide() {
    LetterPlace a = new LetterPlace(1, "a", SCRIPT);
    assertEquals(0, a.compareTo(LetterPlace.parse(a.text())));
    assertEquals(-1, Integer.signum(a.compareTo(new LetterPlace(1, "\ud83d\ude00", SCRIPT))));
    LetterPlace late = new LetterPlace(1, "\uffee", SCRIPT); // later as UTF-16 only
    assertEquals(-1, Integer.signum(late.compareTo(new LetterPlace(1, "\ud83d\ude00", SCRIPT))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1:a", "a:b\t$dead-letter/x", "1:a\todds/raw", "1:\t$dead-letter/x"})
  void whatNamesNoLetterIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> LetterPlace.parse(text));
  }

  private static LetterQuestion asked(String... given) {
    MultiMap parameters = MultiMap.caseInsensitiveMultiMap();
    for (int i = 0; i < given.length; i += 2) {
      parameters.add(given[i], given[i + 1]);
    }
    return LetterQuestion.of(parameters, 1024);
  }

  @ParameterizedTest
  @ValueSource(strings = {"odds/raw", "#", "+/script/s", "$dead-letter", "$dead-letterx/y"})
  void onlyDeadLettersAreAskedFor(String filter) {
    assertThrows(IllegalArgumentException.class, () -> asked("filter", filter));
  }

  @Test
  void aLetterTellsWhereItWasRefusedAndWhatItKeeps() {
    Placed letter = letter(SCRIPT, "a~1", 7, "{\"x\":1.50}");
    Placed kafka = letter("$dead-letter/kafka/plant", "k", 7, "{}");
    Placed before = letter(SCRIPT, "a", 7, "{\"x\":1.50}");
    Record none = new Record("n", SCRIPT, 7, "{\"id\":5}".getBytes(UTF_8));
    Placed noLetter = new Placed(new Position(0, 1, 1), none);
    List<Placed> all = List.of(letter, kafka, before, noLetter);
    LetterPage page = new LetterPage(all, Optional.empty(), Set.of("b"));
    JsonArray letters = LetterJson.of(page, asked()).getJsonArray("letters");
    JsonObject first = letters.getJsonObject(0);
    assertEquals("7:a~1#0\t" + SCRIPT, first.getString("id"));
    assertEquals("script s", first.getString("stage") + " " + first.getString("rule"));
    assertEquals(
        "script_failed boom", first.getString("reason") + " " + first.getString("message"));
    assertEquals("{\"x\":1.50}", first.getString("data"));
    assertEquals("a~2", first.getString("nextId"));
    assertEquals(false, letters.getJsonObject(1).getBoolean("redrivable"));
    assertEquals("a~1", letters.getJsonObject(2).getString("failedAgainAs"));
    assertEquals("a~2", letters.getJsonObject(2).getString("nextId"), "the last attempt counts");
    LetterPage alone = new LetterPage(List.of(letter), Optional.empty(), Set.of());
    JsonObject row = LetterJson.of(alone, asked()).getJsonArray("letters").getJsonObject(0);
    assertFalse(row.containsKey("nextId"), "a may be on the next page");
    assertEquals("it holds no original record", letters.getJsonObject(3).getString("message"));
  }

  @Test
  void longDataAreCutUnlessOneIsAskedFor() {
    Placed letter = letter(SCRIPT, "a", 7, "{\"x\":\"" + "y".repeat(3_000) + "\"}");
    LetterPage page = new LetterPage(List.of(letter), Optional.empty(), Set.of());
    JsonObject row = LetterJson.of(page, asked()).getJsonArray("letters").getJsonObject(0);
    assertEquals("true 2000", row.getBoolean("dataCut") + " " + row.getString("data").length());
    JsonObject one =
        LetterJson.of(page, asked("id", row.getString("id")))
            .getJsonArray("letters")
            .getJsonObject(0);
    assertEquals("false 3008", one.getBoolean("dataCut") + " " + one.getString("data").length());
  }

  @Test
  void aReasonIsLookedForAmongAllThatWereRead() {
    List<Placed> two = List.of(letter(SCRIPT, "a", 9, "{}"), letter(SCRIPT, "b", 8, "{}"));
    LetterPage page = new LetterPage(two, Optional.empty(), Set.of());
    JsonObject other = LetterJson.of(page, asked("reason", "too_large"));
    assertEquals("[] 2 false", shown(other));
    JsonObject first = LetterJson.of(page, asked("reason", "script_failed", "limit", "1"));
    assertEquals(1, first.getJsonArray("letters").size());
    assertEquals("1 true", first.getInteger("looked") + " " + first.getBoolean("more"));
    assertEquals("9:a#0\t" + SCRIPT, first.getString("before"));
  }

  private static String shown(JsonObject json) {
    return json.getJsonArray("letters").encode()
        + " "
        + json.getInteger("looked")
        + " "
        + json.getBoolean("more");
  }
}
