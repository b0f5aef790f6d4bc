package io.galop.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which Logs the others have, and which have been replaced. */
class StoringLogsTest {
  private static final int SHARDS = 4;
  @TempDir Path directory;

  private StoringLogs open() {
    return StoringLogs.open(directory, SHARDS);
  }

  @Test
  void anotherLogThanTheOneThatIsKnownIsReplaced() {
    StoringLogs logs = open();
    assertFalse(logs.isReplaced(1, "a", 7), "nothing is known");
    assertTrue(logs.learn(1, "a", 7));
    assertFalse(logs.learn(1, "a", 7));
    assertFalse(logs.isReplaced(1, "a", 7));
    assertTrue(logs.isReplaced(1, "a", 8));
    assertFalse(logs.isReplaced(1, "a", 0), "it did not tell");
    assertFalse(logs.isReplaced(1, "b", 8));
  }

  @Test
  void whatOneShardLearnsFirstHoldsForAllAndANewLogForTheOneThatHasDoubtedIt() {
    StoringLogs logs = open();
    logs.learn(1, "a", 7);
    assertTrue(logs.isReplaced(3, "a", 8));
    logs.learn(3, "a", 8);
    assertFalse(logs.isReplaced(3, "a", 8));
    assertTrue(logs.isReplaced(1, "a", 8));
    assertTrue(logs.isReplaced(3, "a", 7), "the old disk is back");
  }

  @Test
  void aShardThatKnowsAllEpochsLearnsTheNewestLogs() {
    StoringLogs logs = open();
    logs.learn(0, "a", 7);
    logs.learn(2, "a", 8);
    assertTrue(logs.isReplaced(1, "a", 8));
    logs.learnAll(1);
    assertFalse(logs.isReplaced(1, "a", 8));
    assertTrue(logs.isReplaced(0, "a", 8), "a shard that does not");
  }

  @Test
  void whatIsNewIsUnsavedUntilItIsOnTheDisk() {
    StoringLogs logs = open();
    assertFalse(logs.isUnsaved());
    logs.learn(0, "a", 7);
    assertTrue(logs.isUnsaved());
    logs.write();
    assertFalse(logs.isUnsaved());
    logs.learnAll(0);
    assertFalse(logs.isUnsaved());
  }

  @Test
  void whatCouldNotBeWrittenIsWrittenLater() throws Exception {
    Path inTheWay = Files.createDirectory(directory.resolve("storing-logs.new"));
    StoringLogs logs = open();
    logs.learn(0, "a", 7);
    logs.write();
    assertTrue(logs.isUnsaved());
    Files.delete(inTheWay);
    logs.write();
    assertFalse(logs.isUnsaved());
    assertTrue(open().isReplaced(0, "a", 8));
  }

  @Test
  void whatWasWrittenOutlivesARestart() throws Exception {
    StoringLogs logs = open();
    logs.learn(0, "a name, with blanks", 7);
    logs.learn(2, "a name, with blanks", -8);
    logs.learn(2, "b", 9);
    logs.write();
    StoringLogs again = open();
    assertFalse(again.isReplaced(1, "a name, with blanks", 7));
    assertFalse(again.isReplaced(2, "a name, with blanks", -8));
    assertTrue(again.isReplaced(3, "b", 7));
    List<String> lines = Files.readAllLines(directory.resolve("storing-logs"));
    assertEquals(
        List.of(
            "fffffffffffffff8 2 a name, with blanks",
            "0000000000000007 0,1,3 a name, with blanks",
            "0000000000000009 0,1,2,3 b"),
        lines);
  }

  @Test
  void aLineThatIsNoneOfGalopsIsPassedOver() throws Exception {
    Files.writeString(
        directory.resolve("storing-logs"),
        String.join("\n", "x", "", "zz 1 a", "7 x a", "7 -1 a", "7 9 a", "7 1", "7 0,1 a", ""));
    StoringLogs logs = open();
    assertTrue(logs.isReplaced(1, "a", 8));
    assertFalse(logs.isReplaced(2, "a", 8));
  }
}
