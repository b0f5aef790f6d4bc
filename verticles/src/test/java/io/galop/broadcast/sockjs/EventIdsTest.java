package io.galop.broadcast.sockjs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Position;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an EventSource is told of where it stands, byte for byte. */
class EventIdsTest {
  private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);
  private static final Frame.Opening OPENING = new Frame.Opening("{\"type\":\"rec\",\"body\":");

  private final List<String> written = new ArrayList<>();
  private final List<ByteBuf> kept = new ArrayList<>();

  private EventIds since(Position... positions) {
    Map<Integer, Position> known = new HashMap<>();
    for (Position each : positions) {
      known.put(each.shard(), each);
    }
    return new EventIds(new Written(), known);
  }

  private static Frame record(String data, String position, String more) {
    String rest =
        "{\"data\":" + data + "},\"headers\":{\"topic\":\"t\",\"pos\":\"" + position + "\"" + more;
    return Frame.ofRecord(OPENING, (rest + "}}").getBytes(StandardCharsets.UTF_8));
  }

  private static void write(EventIds to, Frame frame) {
    try (OneFrame one = new OneFrame(frame)) {
      to.write(one, (size, records, isSent) -> {});
    }
  }

  /** The id of the last write; empty if it had none. */
  private String id() {
    String last = written.get(written.size() - 1);
    int at = last.lastIndexOf("\n\nid: ");
    return at < 0 ? "" : last.substring(at + 6, last.indexOf("\n\n", at + 2));
  }

  @Test
  void theIdGrowsByEachShard() {
    EventIds ids = since(new Position(1, 7, 5));
    write(ids, record("{}", "0.7-3", ""));
    assertEquals("0.7-3,1.7-5", id());
    write(ids, record("{\"pos\":\"9.9-9\"}", "1.8-1", ",\"age\":12,\"stale\":true"));
    assertEquals("0.7-3,1.8-1", id(), "from the headers, not from the data");
    write(ids, record("{}", "1.7-9", ""));
    assertEquals("0.7-3,1.8-1", id(), "a snapshot may come behind newer records");
  }

  @Test
  void aWordThatMovesNobodyIsSentAsItIs() {
    EventIds ids = since();
    write(ids, Frame.ofControl("{\"type\":\"stale\",\"address\":\"#\",\"body\":{}}"));
    assertEquals("data: {\"type\":\"stale\",\"address\":\"#\",\"body\":{}}\n\n", written.get(0));
  }

  @Test
  void theEndOfAPastNamesAllShards() {
    EventIds ids = since();
    write(ids, Frame.ofControl("{\"type\":\"live\",\"address\":\"#\",\"pos\":\"0.7-0,3.7-8\"}"));
    assertEquals("0.7-0,3.7-8", id());
  }

  /** An empty id would be none: the browser would come back as if it had never been there. */
  @Test
  void afterAGapItHasSeenNothing() {
    EventIds ids = since(new Position(0, 7, 5));
    write(
        ids,
        Frame.ofControl("{\"type\":\"resumed\",\"address\":\"#\",\"complete\":false,\"b\":0}"));
    assertEquals("0.0-0", id());
    write(
        ids, Frame.ofControl("{\"type\":\"resumed\",\"address\":\"#\",\"complete\":true,\"b\":0}"));
    assertEquals("", id());
  }

  /** The latest of the shards that it concerns follow; all others stand where they stood. */
  @Test
  void aGapLaterOnTakesNothingOfOtherShards() {
    EventIds ids = since();
    write(ids, Frame.ofControl("{\"type\":\"live\",\"address\":\"#\",\"pos\":\"0.7-0,3.7-8\"}"));
    write(
        ids,
        Frame.ofControl("{\"type\":\"resumed\",\"address\":\"#\",\"complete\":false,\"b\":0}"));
    write(ids, Frame.ofControl("{\"type\":\"live\",\"address\":\"#\",\"pos\":\"3.9-2\"}"));
    assertEquals("0.7-0,3.9-2", id());
  }

  @Test
  void linesWithinAMessageDoNotEndIt() {
    write(since(), record("{\r\n\"a\":\n1}", "0.7-1", ""));
    assertEquals(
        "data: {\"type\":\"rec\",\"body\":{\"data\":{  \"a\": 1}},"
            + "\"headers\":{\"topic\":\"t\",\"pos\":\"0.7-1\"}}\n\nid: 0.7-1\n\n",
        written.get(0));
  }

  @Test
  void nothingIsKeptOfWhatWasWritten() {
    write(since(), record("{}", "0.7-1", ""));
    assertEquals(0, kept.get(0).refCnt());
  }

  /** Takes the content of each chunk. */
  private final class Written extends ReadyTransport {
    @Override
    public boolean write(Frames frames, Receipt receipt) {
      ByteBuf chunk = frames.encoded(Framing.EVENTS, HEAP);
      kept.add(chunk);
      written.add(FrameEnvelope.content(chunk).toString(StandardCharsets.UTF_8));
      return true;
    }
  }
}
