package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.galop.broadcast.edge.TestTokens;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Sections that a running node takes anew, while a viewer stays connected. */
@Tag("slow")
@Timeout(240)
class ApplySectionsTest {
  @TempDir Path directory;

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }

  @Test
  void levelsOfTheLogComeAndGo() throws Exception {
    Logger own = logger("io.galop.applied.one");
    Logger below = logger("io.galop.applied.one.Below");
    Logger other = logger("io.galop.applied.two");
    own.setLevel(Level.ERROR); // as a file of logback's would
    try (AppliedNode node =
        new AppliedNode(directory, "logging: {levels: {io.galop.applied.one: debug}}")) {
      AppliedNode.Viewer viewer = node.viewer("a/#", "");
      assertTrue(below.isDebugEnabled());
      node.takes(
          "logging.levels",
          "logging: {levels: {io.galop.applied.one: off, io.galop.applied.two: trace}}");
      assertFalse(below.isErrorEnabled());
      assertTrue(other.isTraceEnabled());
      String why = node.refuses("logging: {levels: {io.galop.applied.two: loud}}");
      assertTrue(why.contains("logging.levels.io.galop.applied.two: must be off, error"), why);
      assertTrue(other.isTraceEnabled());
      node.takes("logging.levels", "{}");
      assertEquals(Level.ERROR, own.getLevel());
      assertEquals(null, other.getLevel());
      node.publish("1", "a/x", "{}");
      viewer.awaitRecord("1");
    } finally {
      own.setLevel(null);
    }
  }

  @Test
  void aNodeThatStopsLeavesTheLogAsItWas() throws Exception {
    String name = "io.galop.applied.three";
    try (AppliedNode node =
        new AppliedNode(directory, "logging: {levels: {" + name + ": debug}}")) {
      assertEquals(Level.DEBUG, logger(name).getLevel());
    }
    assertEquals(null, logger(name).getLevel());
  }

  /** The rule of one topic, and one that nothing falls under. */
  private static String freshness(String filter, long maxAgeMs) {
    return "broadcast: {freshness: [{filter: '%s', maxAgeMs: %d}]}".formatted(filter, maxAgeMs);
  }

  @Test
  void patienceChangesWhileTopicsLive() throws Exception {
    try (AppliedNode node = new AppliedNode(directory, freshness("b/#", 100))) {
      AppliedNode.Viewer viewer = node.viewer("a/#", "");
      node.publish("1", "a/x", "{}");
      viewer.awaitRecord("1");
      node.takes("broadcast.freshness", freshness("a/#", 200));
      viewer.await("stale", () -> viewer.has("stale", "\"topic\":\"a/x\""));
      AppliedNode.Viewer late = node.viewer("a/x", "");
      late.await("stale", () -> late.has("stale", "\"topic\":\"a/x\""));
      assertEquals(0, viewer.count("fresh", "a/x"));
      String why = node.refuses(freshness("a/#", 1));
      assertTrue(why.contains("broadcast.freshness[0].maxAgeMs"), why);
      node.publish("2", "a/y", "{}");
      viewer.await("the rule of before", () -> viewer.has("stale", "\"topic\":\"a/y\""));
      node.takes("broadcast.freshness", freshness("a/#", 3_600_000));
      viewer.await("fresh", () -> viewer.has("fresh", "\"topic\":\"a/x\""));
      late.await("fresh", () -> late.has("fresh", "\"topic\":\"a/x\""));
      node.publish("3", "a/x", "{}");
      viewer.awaitRecord("3");
      assertEquals(1, viewer.count("stale", "\"topic\":\"a/x\""), viewer::toString);
      assertEquals(1, viewer.count("fresh", "\"topic\":\"a/x\""), viewer::toString);
    }
  }

  /** Rules for a/x on the field c: names with their limits. */
  private static String rules(Object... namesAndLimits) {
    StringBuilder yaml = new StringBuilder("alarms:\n  rules:\n");
    for (int i = 0; i < namesAndLimits.length; i += 2) {
      yaml.append(
          "    - {name: %s, topics: a/+, when: {limit: {field: c, above: %s}}}\n"
              .formatted(namesAndLimits[i], namesAndLimits[i + 1]));
    }
    return yaml.toString();
  }

  private static boolean stands(AppliedNode node, String alarm) {
    try {
      return node.get("management", "/alarms").contains("\"" + alarm + "\"");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static long told(AppliedNode.Viewer viewer, String rule, String state) {
    return viewer.count("rec", "\"rule\":\"" + rule + "\",\"topic\":\"a/x\",\"state\":\"" + state);
  }

  @Test
  void alarmsComeGoAndStayWithTheirRules() throws Exception {
    String show = "broadcast: {showReserved: true}\n";
    try (AppliedNode node = new AppliedNode(directory, show)) {
      AppliedNode.Viewer viewer = node.viewer("$alarm/#", "");
      node.publish("1", "a/x", "{\"c\":90}");
      node.takes("alarms.rules", show + rules("hot", 80));
      viewer.await("hot", () -> told(viewer, "hot", "unacknowledged") == 1);
      assertTrue(stands(node, "hot/a/x"));
      node.takes("alarms.rules", show + rules("hot", 85, "warm", 50));
      viewer.await("warm", () -> told(viewer, "warm", "unacknowledged") == 1);
      String why = node.refuses(show + rules("hot", 1).replace("limit: {", "limit: {below: 3, "));
      assertTrue(why.contains("alarms.rules[0].when.limit"), why);
      assertTrue(stands(node, "warm/a/x") && stands(node, "hot/a/x"));
      node.takes("alarms.rules", show + rules("hot", 95));
      viewer.await("the end of warm", () -> told(viewer, "warm", "normal") == 1);
      viewer.await("the return of hot", () -> told(viewer, "hot", "returned") == 1);
      assertFalse(stands(node, "warm/a/x"));
      node.takes("alarms.rules", show);
      viewer.await("the end of hot", () -> told(viewer, "hot", "normal") == 1);
      node.takes("alarms.rules", show + rules("hot", 80));
      viewer.await("hot again", () -> told(viewer, "hot", "unacknowledged") == 2);
      assertEquals(1, told(viewer, "warm", "unacknowledged"), viewer::toString);
      assertEquals(6, viewer.count("rec", ""), viewer::toString);
    }
  }

  @Test
  void aNewKeySendsAwayWhoCameByTheOldOne() throws Exception {
    TestTokens before = TestTokens.of("ES256", Files.createDirectory(directory.resolve("before")));
    TestTokens after = TestTokens.of("HS256", Files.createDirectory(directory.resolve("after")));
    try (AppliedNode node = new AppliedNode(directory, token(before))) {
      AppliedNode.Viewer old = node.viewer("a/#", "?token=" + before.token("anna", 600, "#"));
      String why = node.refuses(token(after).replace("algorithm: hs256", "algorithm: rs256"));
      assertTrue(why.contains("broadcast.token.keyFile"), why);
      why = node.refuses("{}");
      assertTrue(why.contains("broadcast.token: has neither keyFile nor jwks now"), why);
      node.publish("1", "a/x", "{}");
      old.awaitRecord("1");
      node.takes("broadcast.token.keyFile", token(after));
      AppliedNode.await("the end of the old one", () -> old.closed() == 3503);
      String late = "?token=" + before.token("anna", 600, "#");
      assertThrows(ExecutionException.class, () -> node.viewer("a/#", late));
      AppliedNode.Viewer next = node.viewer("a/#", "?token=" + after.token("anna", 600, "#"));
      node.publish("2", "a/x", "{}");
      next.awaitRecord("2");
      assertEquals(0, old.count("rec", "\"id\":\"2\""));
    }
  }

  private static String token(TestTokens issuer) {
    StringBuilder yaml = new StringBuilder("broadcast:\n  token:\n");
    for (String setting : issuer.settings()) {
      yaml.append(setting.replaceFirst("broadcast.token.([A-Za-z]+)=(.*)", "    $1: $2"))
          .append('\n');
    }
    return yaml.toString();
  }

  private static String cold(int every, String archive) {
    return "persist: {cold: {every: %d, stores: [{archive: {%s}}]}}".formatted(every, archive);
  }

  @Test
  void storesKeepMoreOrLess() throws Exception {
    String archive =
        "directory: '" + directory.resolve("archive") + "', topics: [none], batchMs: 0, ";
    try (AppliedNode node = new AppliedNode(directory, cold(1_000_000, archive))) {
      AppliedNode.Viewer viewer = node.viewer("a/#", "");
      node.publish("1", "a/x", "{}");
      AppliedNode.await("1 is passed over", () -> sink(node, "passed", "embedded") == 1);
      node.takes("persist.cold.every", cold(1, archive));
      node.publish("2", "a/x", "{}");
      AppliedNode.await("2 in the store", () -> sink(node, "stored", "embedded") == 1);
      assertEquals(1, sink(node, "passed", "embedded"));
      AppliedNode.await("2 is not for the archive", () -> sink(node, "passed", "archive") == 2);
      node.takes("persist.cold.stores", cold(1, archive.replace("none", "a/#")));
      String why = node.refuses(cold(2, archive.replace("none", "b/#") + "batchBytes: 2048"));
      assertTrue(why.contains("persist.cold.stores[0].archive.batchBytes: takes a restart"), why);
      node.publish("3", "a/x", "{}");
      AppliedNode.await("3 in the archive", () -> sink(node, "stored", "archive") == 1);
      AppliedNode.await("3 in the store", () -> sink(node, "stored", "embedded") == 2);
      viewer.awaitRecord("3");
      assertEquals(3, viewer.count("rec", ""));
    }
  }

  private static double sink(AppliedNode node, String what, String store) {
    String name = "galop_persist_sink_" + what + "_total{sink=\"" + store + "\"}";
    return node.metric(name);
  }
}
