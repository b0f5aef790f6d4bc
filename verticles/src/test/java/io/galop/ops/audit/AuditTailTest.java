package io.galop.ops.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTailTest {
  @TempDir Path directory;

  private static String line(int id, String outcome, String more) {
    return new JsonObject().put("id", "" + id).put("outcome", outcome).put("x", more).encode();
  }

  private void write(String name, List<String> lines) throws IOException {
    Files.write(directory.resolve(name), lines);
  }

  private JsonObject tail() throws IOException {
    return AuditTail.json(directory.resolve("audit.log"));
  }

  private static List<String> said(JsonObject tail) {
    return tail.getJsonArray("acts").stream()
        .map(JsonObject.class::cast)
        .map(act -> act.getString("id") + " " + act.getString("outcome"))
        .toList();
  }

  @Test
  void ofAnActWhatCameOfItCountsAndTheLastIsFirst() throws Exception {
    assertEquals("{\"acts\":[],\"more\":false}", tail().encode(), "nobody has acted");
    write("audit.log.1", List.of(line(1, "begun", ""), line(1, "done", ""), line(2, "begun", "")));
    write("audit.log", List.of(line(2, "failed", ""), line(3, "begun", ""), "{\"id\":\"cut"));
    assertEquals(List.of("3 begun", "2 failed", "1 done"), said(tail()));
    assertFalse(tail().getBoolean("more"));
  }

  @Test
  void noMoreIsAnsweredThanItsBounds() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      lines.add(line(i, "done", ""));
    }
    write("audit.log", lines);
    List<String> said = said(tail());
    assertEquals(AuditTail.MOST_ACTS, said.size());
    assertEquals("999 done", said.get(0));
    assertTrue(tail().getBoolean("more"));
    lines.replaceAll(line -> line(7, "done", "x".repeat(10_000)));
    lines.set(999, line(8, "done", "x".repeat(AuditTail.MOST_BYTES / 2)));
    write("audit.log", lines);
    assertEquals(List.of("8 done", "7 done"), said(tail()));
    assertTrue(tail().getBoolean("more"));
  }

  @Test
  void aFileThatCannotBeReadIsTold() throws Exception {
    Files.createDirectory(directory.resolve("audit.log"));
    assertThrows(IOException.class, this::tail);
  }
}
