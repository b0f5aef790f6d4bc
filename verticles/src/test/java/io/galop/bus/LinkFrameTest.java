package io.galop.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.bus.Errand.Kind;
import io.galop.bus.LinkFrame.Alive;
import io.galop.bus.LinkFrame.Answer;
import io.galop.bus.LinkFrame.Hello;
import io.galop.bus.LinkFrame.Members;
import io.galop.bus.LinkFrame.Refused;
import io.galop.bus.LinkFrame.Request;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.record.Batch;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written on a link is read again, and nothing else is. */
class LinkFrameTest {
  private static final Position AT = new Position(3, 1L << 33, 17);
  private static final Record RECORD = new Record("id", "a/b", 5, "{\"n\":1}".getBytes());

  static Stream<LinkFrame> frames() {
    Batch batch = new Batch(3, AT.epoch(), 18, List.of(RECORD, RECORD));
    Page page =
        new Page(true, AT, "next", List.of(new Placed(AT, RECORD)), List.of("gone", "away"));
    return Stream.of(
        new Alive(),
        new Hello(2, "id", "näme", 16, true),
        new Members(List.of(new Member("i", "n", Set.of(Role.PERSIST), true))),
        new Request(7, new Errand(Kind.FOLLOW, "n", 5000, new Follow("f", 2, AT, 99))),
        new Request(8, new Errand(Kind.LATEST, "n", 5000, new Ask(3, AT, "x", 9))),
        new Request(9, new Errand(Kind.FETCH, "n", 5000, new Ask(3, AT, "x", 9))),
        new Request(
            10, new Errand(Kind.HISTORY, "n", 1, new HistoryQuery("a/#", 1, 2, 3, true, ""))),
        new Request(11, new Errand(Kind.PUSH, "", 5000, new Push(4, AT, AT, batch))),
        new Request(12, new Errand(Kind.REVOKE, "", 5000, new JsonObject().put("subjects", 1))),
        new Request(12, new Errand(Kind.DRILL, "", 5000, new JsonObject().put("drill", 1))),
        new Request(12, new Errand(Kind.LOAD, "", 5000, new Errand.Load(3, 4, page))),
        new Request(12, new Errand(Kind.BEGIN, "", 5000, new Errand.Begin(4, AT))),
        new Request(
            13, new Errand(Kind.WANT, "", 5000, new Errand.Want(7, false, List.of("a/#", "ä")))),
        new Request(
            14,
            new Errand(
                Kind.VALUES, "n", 5000, new Errand.Values(new Ask(3, AT, "x", 9), List.of("a")))),
        new Request(
            15,
            new Errand(
                Kind.PART,
                "",
                5000,
                new Push(4, AT, AT, new Batch(3, AT.epoch(), 18, List.of()))
                    .with(new Push.Part(7, AT, List.of(new Placed(AT, RECORD)))))),
        new Answer(12, null),
        new Answer(12, new JsonObject().put("ended", 3)),
        new Answer(13, new Followed(AT, true)),
        new Answer(14, page),
        new Refused(15, new Refusal(Refusal.Why.WRONG_EPOCH, "12")));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void isReadAsItWasWritten(LinkFrame frame) {
    LinkFrame read = LinkFrame.of(frame.toBuffer());
    assertEquals(frame.getClass(), read.getClass());
    assertEquals(frame.toBuffer(), read.toBuffer(), "the same bytes again");
  }

  @ParameterizedTest
  @MethodSource("frames")
  void onePartOfAFrameIsNone(LinkFrame frame) {
    Buffer whole = frame.toBuffer();
    // A Follow of an older version ends before its last number.
    int optional =
        frame instanceof Request request && request.errand().kind() == Kind.FOLLOW ? 8 : 0;
    for (int length = 0; length < whole.length(); length++) {
      if (length != whole.length() - optional || optional == 0) {
        Buffer part = whole.getBuffer(0, length);
        assertThrows(IllegalArgumentException.class, () -> LinkFrame.of(part), "of " + length);
      }
    }
  }

  /** Neither another exception nor room for what is only said to come. */
  @Test
  void strangeBytesAreRefused() {
    Random random = new Random(17);
    List<LinkFrame> all = frames().toList();
    for (int i = 0; i < 20_000; i++) {
      Buffer bytes = all.get(i % all.size()).toBuffer();
      for (int change = 0; change < 1 + i % 4; change++) {
        bytes.setByte(random.nextInt(bytes.length()), (byte) random.nextInt(256));
      }
      try {
        LinkFrame.of(bytes);
      } catch (IllegalArgumentException expected) {
        continue;
      }
    }
  }

  @Test
  void aLengthThatIsALieIsNotBelieved() {
    Buffer push = frames().skip(7).findFirst().orElseThrow().toBuffer();
    int records = push.length() - 2 * (4 + 12 + 2 + 3 + 7) - 4;
    assertEquals(2, push.getInt(records));
    assertThrows(
        IllegalArgumentException.class,
        () -> LinkFrame.of(push.copy().setInt(records, Integer.MAX_VALUE)));
    assertThrows(
        IllegalArgumentException.class,
        () -> LinkFrame.of(push.copy().setInt(records + 4, Integer.MAX_VALUE - 8)));
  }

  /** What older versions do not know stands behind what they read, and only where it is so. */
  @Test
  void whoDoesNotSayWhatItWantsSendsWhatItSent() {
    Member member = new Member("i", "n", Set.of(Role.PERSIST), true);
    Buffer hello = new Hello(2, "id", "n", 16, true).toBuffer();
    Buffer says = new Hello(2, "id", "n", 16, true, true, false, false).toBuffer();
    assertEquals(hello, says.slice(0, hello.length()));
    assertEquals(hello.length() + 1, says.length());
    assertEquals(new Hello(2, "id", "n", 16, true, true, false, false), LinkFrame.of(says));
    Buffer tells = new Hello(2, "id", "n", 16, true, true, true, false).toBuffer();
    assertEquals(says, tells.slice(0, says.length()));
    assertEquals(says.length() + 1, tells.length());
    assertEquals(new Hello(2, "id", "n", 16, true, true, true, false), LinkFrame.of(tells));
    Buffer tellsOnly = new Hello(2, "id", "n", 16, true, false, true, false).toBuffer();
    assertEquals(hello, tellsOnly.slice(0, hello.length()));
    assertEquals(0, tellsOnly.getByte(hello.length()), "what it wants, as an older version reads");
    assertEquals(new Hello(2, "id", "n", 16, true, false, true, false), LinkFrame.of(tellsOnly));
    Buffer drills = new Hello(2, "id", "n", 16, true, true, true, true).toBuffer();
    assertEquals(tells, drills.slice(0, tells.length()));
    assertEquals(tells.length() + 1, drills.length());
    Hello drillsOnly = new Hello(2, "id", "n", 16, true, false, false, true);
    assertEquals(drillsOnly, LinkFrame.of(drillsOnly.toBuffer()));
    Buffer members = new Members(List.of(member)).toBuffer();
    Buffer takes = new Members(List.of(member), true).toBuffer();
    assertEquals(members, takes.slice(0, members.length()));
    assertEquals(members.length() + 1, takes.length());
    assertEquals(new Members(List.of(member), true), LinkFrame.of(takes));
  }

  @Test
  void onlyWhatARelayNeedsMayCross() {
    assertEquals(
        Kind.FOLLOW,
        Errand.of("n", "galop.n.follow.3", new Follow("f", 1, AT), 1).orElseThrow().kind());
    assertEquals(true, Errand.of("n", "galop.n.seal.3", new Seal(3, "n"), 1).isEmpty());
    assertEquals(true, Errand.of("n", "galop.n.topics.3", new Ask(3, AT, "", 1), 1).isEmpty());
    assertThrows(
        IllegalArgumentException.class, () -> new Errand(Kind.FOLLOW, "n", 1, new Seal(3, "n")));
  }
}
