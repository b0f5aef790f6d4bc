package io.galop.ops.audit;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last acts of an audit log, from the end of the file and of the one before it: however large
 * they are, as much is read. Of the two lines of an act the later one counts. Blocks.
 */
final class AuditTail {
  static final int MOST_ACTS = 200;
  static final int MOST_BYTES = 256 * 1024;

  private AuditTail() {}

  /**
   * {@code {"acts":[…],"more":…}}, the last first; {@code more}: there may be older ones.
   *
   * @throws IOException if a file that is there cannot be read
   */
  static JsonObject json(Path file) throws IOException {
    Map<String, JsonObject> acts = new LinkedHashMap<>();
    boolean isCut = add(file, acts);
    if (!isCut) {
      isCut = add(file.resolveSibling(file.getFileName() + ".1"), acts);
    }
    return new JsonObject()
        .put("acts", new JsonArray(acts.values().stream().toList()))
        .put("more", isCut);
  }

  /** Whether something of the file was left out. */
  private static boolean add(Path file, Map<String, JsonObject> acts) throws IOException {
    ByteBuffer end = ByteBuffer.allocate(MOST_BYTES);
    long from;
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      from = Math.max(0, in.size() - MOST_BYTES);
      in.position(from);
      while (end.hasRemaining() && in.read(end) >= 0) {
        // A read may give a part only.
      }
    } catch (NoSuchFileException none) {
      return false;
    }
    String[] lines = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8).split("\n");
    int first = from > 0 ? 1 : 0; // its beginning is not there
    for (int i = lines.length - 1; i >= first; i--) {
      if (!add(lines[i], acts)) {
        return true;
      }
    }
    return from > 0;
  }

  /** Whether there is room for it. A line that a crash has cut off says nothing. */
  private static boolean add(String line, Map<String, JsonObject> acts) {
    JsonObject act;
    try {
      act = new JsonObject(line);
    } catch (DecodeException cut) {
      return true;
    }
    String id = String.valueOf(act.getValue("id"));
    if (acts.size() == MOST_ACTS && !acts.containsKey(id)) {
      return false;
    }
    acts.putIfAbsent(id, act);
    return true;
  }
}
