package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.nio.file.Path;
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
      node.takes("logging.levels", "");
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
}
