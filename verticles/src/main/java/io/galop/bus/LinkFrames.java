package io.galop.bus;

import io.galop.bus.Errand.Begin;
import io.galop.bus.Errand.Load;
import io.galop.bus.Errand.Values;
import io.galop.bus.Errand.Want;
import io.galop.bus.LinkFrame.Alive;
import io.galop.bus.LinkFrame.Answer;
import io.galop.bus.LinkFrame.Hello;
import io.galop.bus.LinkFrame.Members;
import io.galop.bus.LinkFrame.Refused;
import io.galop.bus.LinkFrame.Request;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.record.Position;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The bytes of frames on a link, each one message of a websocket. Integers are big-endian, texts
 * carry a u16 length, JSON an i32; messages are as on the event bus.
 *
 * <pre>
 * alive:    1
 * hello:    2 | i32 version | id | name | i32 shards | u8 mayAsk | (u8 says what it wants | (u8 tells presence | (u8 1: takes drills)))
 * members:  3 | i32 count | (id | name | i32 roles, a bit each | u8 opening)… | (u8 1: takes that)
 * request:  4 | i64 id | u8 kind | node | i32 timeoutMs | message
 * answer:   5 | i64 id | u8 0: nothing, 1: Followed, 2: Page, 3: JSON | message
 * refused:  6 | i64 id | u8 why | text
 * load:     i32 shard | i64 session | Page
 * begin:    i64 session | Position
 * want:     i64 version | u8 everything | i32 count | filter…
 * values:   Ask | i32 count | filter…
 * part:     i64 session | Position after | Position head | i64 version | Position upTo
 *           | i32 count | (Position | record)… | Batch without records
 * </pre>
 *
 * <p>The last five are messages of a request, as JSON is one. What stands in brackets is left out
 * where it is not so: who was built before it was there neither reads nor sends it.
 */
final class LinkFrames {
  private static final int MOST_MEMBERS = 4096;
  private static final int MOST_TEXT = 1000;
  private static final byte ALIVE = 1;
  private static final byte HELLO = 2;
  private static final byte MEMBERS = 3;
  private static final byte REQUEST = 4;
  private static final byte ANSWER = 5;
  private static final byte REFUSED = 6;
  private static final byte NOTHING = 0;
  private static final byte FOLLOWED = 1;
  private static final byte PAGE = 2;
  private static final byte JSON = 3;

  private LinkFrames() {}

  static Buffer write(LinkFrame frame) {
    Buffer to = Buffer.buffer();
    if (frame instanceof Request request) {
      write(to.appendByte(REQUEST), request);
    } else if (frame instanceof Answer answer) {
      write(to.appendByte(ANSWER), answer);
    } else if (frame instanceof Refused refused) {
      to.appendByte(REFUSED).appendLong(refused.id());
      to.appendByte((byte) refused.refusal().why().ordinal());
      Wire.text(to, shortened(String.valueOf(refused.refusal().getMessage())));
    } else if (frame instanceof Members members) {
      write(to.appendByte(MEMBERS), members.members());
      ifSo(to, members.takesWants());
    } else if (frame instanceof Hello hello) {
      to.appendByte(HELLO).appendInt(hello.version());
      Wire.text(Wire.text(to, hello.id()), hello.name()).appendInt(hello.shards());
      Wire.bool(to, hello.mayAsk());
      flags(to, hello.saysWants(), hello.tellsPresence(), hello.takesDrills());
    } else {
      to.appendByte(ALIVE);
    }
    return to;
  }

  private static void ifSo(Buffer to, boolean value) {
    if (value) {
      Wire.bool(to, true);
    }
  }

  /** As many as it takes to say what is so. */
  private static void flags(Buffer to, boolean... flags) {
    int count = flags.length;
    while (count > 0 && !flags[count - 1]) {
      count--;
    }
    for (int i = 0; i < count; i++) {
      Wire.bool(to, flags[i]);
    }
  }

  private static String shortened(String text) {
    return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text;
  }

  private static void write(Buffer to, List<Member> members) {
    to.appendInt(members.size());
    for (Member member : members) {
      int roles = member.roles().stream().mapToInt(role -> 1 << role.ordinal()).sum();
      Wire.text(Wire.text(to, member.id()), member.name()).appendInt(roles);
      Wire.bool(to, member.isOpening());
    }
  }

  private static void write(Buffer to, Request request) {
    Errand errand = request.errand();
    to.appendLong(request.id()).appendByte((byte) errand.kind().ordinal());
    Wire.text(to, errand.node()).appendInt((int) Math.min(Integer.MAX_VALUE, errand.timeoutMs()));
    switch (errand.kind()) {
      case FOLLOW -> Codecs.writeFollow(to, (Follow) errand.message());
      case LATEST, FETCH -> Codecs.writeAsk(to, (Ask) errand.message());
      case HISTORY -> Codecs.writeQuery(to, (HistoryQuery) errand.message());
      case PUSH -> Codecs.writePush(to, (Push) errand.message());
      case REVOKE, PRESENCE, DRILL -> Wire.json(to, (JsonObject) errand.message());
      case LOAD -> {
        Load load = (Load) errand.message();
        Codecs.writePage(to.appendInt(load.shard()).appendLong(load.session()), load.page());
      }
      case BEGIN -> {
        Begin begin = (Begin) errand.message();
        Wire.position(to.appendLong(begin.session()), begin.from());
      }
      case WANT -> {
        Want want = (Want) errand.message();
        texts(Wire.bool(to.appendLong(want.version()), want.everything()), want.filters());
      }
      case VALUES -> {
        Values values = (Values) errand.message();
        Codecs.writeAsk(to, values.ask());
        texts(to, values.filters());
      }
      case PART -> writePart(to, (Push) errand.message());
    }
  }

  private static void texts(Buffer to, List<String> texts) {
    to.appendInt(texts.size());
    texts.forEach(text -> Wire.text(to, text));
  }

  private static List<String> texts(Wire.Reader from) {
    int count = from.i32();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(from.text());
    }
    return texts;
  }

  private static void writePart(Buffer to, Push push) {
    Push.Part part = Objects.requireNonNull(push.part(), "it has all records");
    Wire.position(Wire.position(to.appendLong(push.session()), push.after()), push.head());
    Wire.placed(Wire.position(to.appendLong(part.version()), part.upTo()), part.records());
    Wire.batch(to, push.batch());
  }

  private static Push readPart(Wire.Reader from) {
    long session = from.i64();
    Position after = from.position();
    Position head = from.position();
    Push.Part part = new Push.Part(from.i64(), from.position(), from.placed());
    return new Push(session, after, head, from.batch(), part);
  }

  private static void write(Buffer to, Answer answer) {
    to.appendLong(answer.id());
    if (answer.body() instanceof Followed followed) {
      Codecs.writeFollowed(to.appendByte(FOLLOWED), followed);
    } else if (answer.body() instanceof Page page) {
      Codecs.writePage(to.appendByte(PAGE), page);
    } else if (answer.body() instanceof JsonObject json) {
      Wire.json(to.appendByte(JSON), json);
    } else {
      to.appendByte(NOTHING);
    }
  }

  static LinkFrame read(Buffer bytes) {
    try {
      return read(bytes.getByte(0), new Wire.Reader(bytes, 1));
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw new IllegalArgumentException("a frame ends too early", e);
    }
  }

  private static LinkFrame read(byte type, Wire.Reader from) {
    return switch (type) {
      case ALIVE -> new Alive();
      case HELLO -> readHello(from);
      case MEMBERS -> readMembers(from);
      case REQUEST -> readRequest(from);
      case ANSWER -> readAnswer(from);
      case REFUSED -> new Refused(from.i64(), readRefusal(from));
      default -> throw new IllegalArgumentException("no frame begins with " + type);
    };
  }

  /** Of version 1 without its end, so that the version can be said. */
  private static Hello readHello(Wire.Reader from) {
    int version = from.i32();
    return new Hello(
        version,
        from.text(),
        from.text(),
        from.i32(),
        version < 2 || from.bool(),
        from.hasMore() && from.bool(),
        from.hasMore() && from.bool(),
        from.hasMore() && from.bool());
  }

  private static Members readMembers(Wire.Reader from) {
    int count = from.i32();
    if (count < 0 || count > MOST_MEMBERS) {
      throw new IllegalArgumentException(count + " members");
    }
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(new Member(from.text(), from.text(), roles(from.i32()), from.bool()));
    }
    return new Members(members, from.hasMore() && from.bool());
  }

  /** Those that this version knows. */
  private static Set<Role> roles(int bits) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (Role role : Role.values()) {
      if ((bits & 1 << role.ordinal()) != 0) {
        roles.add(role);
      }
    }
    return roles;
  }

  private static Request readRequest(Wire.Reader from) {
    long id = from.i64();
    Errand.Kind kind = of(Errand.Kind.values(), from.u8());
    String node = from.text();
    int timeoutMs = from.i32();
    Object message =
        switch (kind) {
          case FOLLOW -> Codecs.readFollow(from);
          case LATEST, FETCH -> Codecs.readAsk(from);
          case HISTORY -> Codecs.readQuery(from);
          case PUSH -> Codecs.readPush(from);
          case REVOKE, PRESENCE, DRILL -> from.json();
          case LOAD -> new Load(from.i32(), from.i64(), Codecs.readPage(from));
          case BEGIN -> new Begin(from.i64(), from.position());
          case WANT -> new Want(from.i64(), from.bool(), texts(from));
          case VALUES -> new Values(Codecs.readAsk(from), texts(from));
          case PART -> readPart(from);
        };
    return new Request(id, new Errand(kind, node, timeoutMs, message));
  }

  private static Answer readAnswer(Wire.Reader from) {
    long id = from.i64();
    int type = from.u8();
    return switch (type) {
      case NOTHING -> new Answer(id, null);
      case FOLLOWED -> new Answer(id, Codecs.readFollowed(from));
      case PAGE -> new Answer(id, Codecs.readPage(from));
      case JSON -> new Answer(id, from.json());
      default -> throw new IllegalArgumentException("no answer begins with " + type);
    };
  }

  private static Refusal readRefusal(Wire.Reader from) {
    return new Refusal(of(Refusal.Why.values(), from.u8()), from.text());
  }

  private static <T> T of(T[] all, int index) {
    if (index >= all.length) {
      throw new IllegalArgumentException("there is no number " + index + " of " + all.length);
    }
    return all[index];
  }
}
