package io.galop.broadcast.sockjs;

import static io.galop.broadcast.sockjs.RawFrames.BINARY;
import static io.galop.broadcast.sockjs.RawFrames.CLOSE;
import static io.galop.broadcast.sockjs.RawFrames.CONTINUATION;
import static io.galop.broadcast.sockjs.RawFrames.LAST;
import static io.galop.broadcast.sockjs.RawFrames.PING;
import static io.galop.broadcast.sockjs.RawFrames.PONG;
import static io.galop.broadcast.sockjs.RawFrames.TEXT;

import io.galop.broadcast.sockjs.RawFrames.Said;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * What a client may say on a websocket and what it must not (RFC 6455), and what a server that says
 * everything again answers. The kinds follow those of the usual suite for this protocol.
 */
public enum FrameCases {
  LENGTHS {
    @Override
    void fill(List<Case> to) {
      for (int length : new int[] {0, 1, 125, 126, 127, 128, 65_535, 65_536}) {
        byte[] payload = "*".repeat(length).getBytes(StandardCharsets.US_ASCII);
        to.add(echo("text of " + length, TEXT, payload, 1 << 20));
        to.add(echo("binary of " + length, BINARY, payload, 1 << 20));
        to.add(echo("text of " + length + " in chops", TEXT, payload, 997));
      }
      to.add(broken("126 with a length of 125", 1002, bytes("81fe007d00000000")));
      to.add(broken("127 with a length of 65535", 1002, bytes("81ff000000000000ffff00000000")));
      to.add(broken("127 with the highest bit", 1002, bytes("81ff800000000000000100000000")));
    }
  },

  MASKS {
    @Override
    void fill(List<Case> to) {
      byte[] text = utf8("masks turn with their payload");
      for (int mask : new int[] {0, -1, 0x01020304, 0x80ff7f00}) {
        byte[] frame = frame(LAST | TEXT, text, mask);
        Said said = new Said(LAST | TEXT, text);
        to.add(new Case("mask " + mask, List.of(frame), List.of(said), 0));
        to.add(new Case("mask " + mask + ", by byte", chops(frame, 1), List.of(said), 0));
      }
      to.add(broken("no mask", 1002, bytes("810178")));
      to.add(broken("no mask on a ping", 1002, bytes("8900")));
      to.add(broken("no mask on a closing", 1002, bytes("8800")));
    }
  },

  CONTROL {
    @Override
    void fill(List<Case> to) {
      for (String payload : new String[] {"", "x", "\u0000\u00ff", "p".repeat(125)}) {
        byte[] sent = payload.getBytes(StandardCharsets.ISO_8859_1);
        to.add(answered("ping", frame(LAST | PING, sent), new Said(LAST | PONG, sent)));
        to.add(answered("pong that nobody asked for", frame(LAST | PONG, sent)));
      }
      byte[] tooLong = new byte[126];
      to.add(broken("ping of 126", 1002, frame(LAST | PING, tooLong)));
      to.add(broken("pong of 126", 1002, frame(LAST | PONG, tooLong)));
      to.add(broken("ping in parts", 1002, frame(PING, new byte[0])));
      to.add(broken("pong in parts", 1002, frame(PONG, new byte[1])));
      Said pong = new Said(LAST | PONG, utf8("b"));
      byte[] between =
          all(frame(TEXT, utf8("a")), frame(LAST | PING, utf8("b")), frame(LAST, utf8("c")));
      Said message = new Said(LAST | TEXT, utf8("ac"));
      to.add(answered("ping between parts", between, pong, message));
    }
  },

  RESERVED {
    @Override
    void fill(List<Case> to) {
      for (int bits = 1; bits < 8; bits++) {
        for (int type : new int[] {TEXT, BINARY, CONTINUATION, PING, PONG, CLOSE}) {
          byte[] frame = frame(LAST | bits << 4 | type, new byte[0]);
          to.add(broken("reserved bits " + bits + " of " + type, 1002, frame));
        }
      }
      for (int type : new int[] {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
        to.add(broken("type " + type, 1002, frame(LAST | type, utf8("x"))));
        byte[] after = all(frame(LAST | TEXT, utf8("a")), frame(LAST | type, new byte[0]));
        List<Said> said = List.of(new Said(LAST | TEXT, utf8("a")));
        to.add(new Case("type " + type + " after a text", List.of(after), said, 1002));
      }
    }
  },

  FRAGMENTS {
    @Override
    void fill(List<Case> to) {
      byte[] none = new byte[0];
      byte[] a = utf8("a");
      for (int type : new int[] {TEXT, BINARY}) {
        Said message = new Said(LAST | type, utf8("aaa"));
        byte[] three = all(frame(type, a), frame(CONTINUATION, a), frame(LAST, a));
        to.add(answered("three parts of " + type, three, message));
        byte[] nothing = all(frame(type, none), frame(CONTINUATION, none), frame(LAST, none));
        to.add(answered("empty parts of " + type, nothing, new Said(LAST | type, none)));
        byte[] middle = all(frame(type, none), frame(CONTINUATION, utf8("aaa")), frame(LAST, none));
        to.add(answered("only the middle of " + type, middle, message));
        byte[] twice = all(frame(type, a), frame(LAST | type, a));
        to.add(broken("a message within one of " + type, 1002, twice));
      }
      to.add(broken("nothing to go on with", 1002, frame(CONTINUATION, a)));
      to.add(broken("nothing to end", 1002, frame(LAST, a)));
      byte[] after = all(frame(LAST | TEXT, a), frame(LAST, a));
      to.add(
          new Case("after a whole one", List.of(after), List.of(new Said(LAST | TEXT, a)), 1002));
    }
  },

  UTF_8 {
    @Override
    void fill(List<Case> to) {
      for (String good : GOOD) {
        byte[] text = bytes(good);
        to.add(echo("UTF-8 " + good, TEXT, text, 1 << 20));
        to.add(echo("UTF-8 " + good + " by byte", TEXT, text, 1));
        to.add(answered("UTF-8 " + good + " in parts", parts(text), new Said(LAST | TEXT, text)));
      }
      for (String bad : BAD) {
        byte[] text = bytes(bad);
        to.add(broken("no UTF-8 " + bad, 1007, frame(LAST | TEXT, text)));
        to.add(broken("no UTF-8 " + bad + " in parts", 1007, parts(text)));
      }
      // Frames that never end, messages that never end: told at once.
      byte[] half = all(frame(LAST | TEXT, bytes("cebaf4908080616263")));
      to.add(broken("no UTF-8 so far", 1007, Arrays.copyOf(half, half.length - 4)));
      byte[] open = all(frame(TEXT, bytes("ceba")), frame(CONTINUATION, bytes("f490")));
      to.add(broken("no UTF-8 in a part", 1007, open));
    }
  },

  CLOSING {
    @Override
    void fill(List<Case> to) {
      to.add(closing("without a code", new byte[0], 0));
      for (int code : new int[] {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012}) {
        to.add(closing("with " + code, code(code, ""), code));
      }
      for (int code : new int[] {1013, 1014, 3000, 3999, 4000, 4999}) {
        to.add(closing("with " + code, code(code, "bye"), code));
      }
      for (int code : new int[] {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999}) {
        to.add(closing("with " + code, code(code, ""), 1002));
      }
      to.add(closing("with 5000", code(5000, ""), 1002));
      to.add(closing("with 65535", code(65_535, ""), 1002));
      to.add(closing("with half a code", new byte[1], 1002));
      to.add(closing("with a long reason", code(1000, "r".repeat(123)), 1000));
      to.add(closing("with too long a reason", code(1000, "r".repeat(124)), 1002));
      to.add(closing("with no UTF-8", all(code(1000, ""), bytes("cebaeda080")), 1007));
      to.add(closing("with half a character", all(code(1000, ""), bytes("ce")), 1007));
      byte[] bye = frame(LAST | CLOSE, code(1000, ""));
      to.add(broken("with a text behind", 1000, all(bye, frame(LAST | TEXT, utf8("a")))));
      to.add(broken("with a ping behind", 1000, all(bye, frame(LAST | PING, utf8("a")))));
      to.add(broken("within a message", 1000, all(frame(TEXT, utf8("a")), bye)));
    }
  };

  /**
   * What is sent, and what comes of it.
   *
   * @param writes each by itself
   * @param said what a server answers that says everything again
   * @param code of the closing after that; 0: the connection goes on, or the closing has none
   */
  public record Case(String name, List<byte[]> writes, List<Said> said, int code) {
    public boolean isOver() {
      return code > 0 || name.startsWith("closing");
    }

    /** Whether a binary message begins before anything is wrong. */
    public boolean isBinary() {
      return (writes.get(0)[0] & 0x7f) == BINARY;
    }
  }

  private static final int MASK = 0x6ba517f3;

  private static final List<String> GOOD =
      List.of(
          "48656c6c6f2dc2b540c39fc3b6c3a4c3bcc3a0c3a12d5554462d382121",
          "cebae1bdb9cf83cebcceb5",
          "00",
          "7f",
          "c280",
          "dfbf",
          "e0a080",
          "ed9fbf",
          "ee8080",
          "efbfbe",
          "efbfbf",
          "efbfbd",
          "f0908080",
          "f48fbfbf",
          "f09fbfbe");

  private static final List<String> BAD =
      List.of(
          "cebae1bdb9cf83cebcceb5eda080656469746564",
          "cebae1bdb9cf83cebcceb5f4908080656469746564",
          "80",
          "bf",
          "8080",
          "c0",
          "c1bf",
          "c080",
          "c2",
          "c220",
          "c2c2",
          "e0",
          "e080af",
          "e09fbf",
          "e28028a1",
          "e2",
          "e282",
          "eda080",
          "edafbf",
          "edbfbf",
          "eda080edb080",
          "f0808080",
          "f08fbfbf",
          "f0",
          "f09f98",
          "f09f9820",
          "f4908080",
          "f5808080",
          "f888808080",
          "fc8480808080",
          "fe",
          "ff",
          "61ff61",
          "6161c0");

  abstract void fill(List<Case> to);

  /** The cases of this kind. */
  public List<Case> all() {
    List<Case> cases = new ArrayList<>();
    fill(cases);
    return cases;
  }

  static Case echo(String name, int type, byte[] payload, int chop) {
    List<byte[]> writes = chops(frame(LAST | type, payload), chop);
    return new Case(name, writes, List.of(new Said(LAST | type, payload)), 0);
  }

  static Case answered(String name, byte[] sent, Said... said) {
    return new Case(name, List.of(sent), List.of(said), 0);
  }

  static Case broken(String name, int code, byte[] sent) {
    return new Case(name, List.of(sent), List.of(), code);
  }

  static Case closing(String name, byte[] payload, int code) {
    return broken("closing " + name, code, frame(LAST | CLOSE, payload));
  }

  /** A text as a frame for each byte. */
  static byte[] parts(byte[] text) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int n = 0; n < text.length; n++) {
      int type = (n == 0 ? TEXT : CONTINUATION) | (n == text.length - 1 ? LAST : 0);
      frames.writeBytes(frame(type, new byte[] {text[n]}));
    }
    return frames.toByteArray();
  }

  static byte[] code(int code, String reason) {
    return all(new byte[] {(byte) (code >> 8), (byte) code}, utf8(reason));
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  static byte[] all(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static List<byte[]> chops(byte[] bytes, int each) {
    List<byte[]> chops = new ArrayList<>();
    for (int n = 0; n < bytes.length; n += each) {
      chops.add(Arrays.copyOfRange(bytes, n, Math.min(bytes.length, n + each)));
    }
    return chops;
  }

  /** A frame as a client sends it. */
  public static byte[] frame(int flags, byte[] payload) {
    return frame(flags, payload, MASK);
  }

  static byte[] frame(int flags, byte[] payload, int mask) {
    ByteBuffer frame = ByteBuffer.allocate(payload.length + 14).put((byte) flags);
    if (payload.length < 126) {
      frame.put((byte) (0x80 | payload.length));
    } else if (payload.length <= 0xffff) {
      frame.put((byte) 0xfe).putShort((short) payload.length);
    } else {
      frame.put((byte) 0xff).putLong(payload.length);
    }
    frame.putInt(mask);
    for (int n = 0; n < payload.length; n++) {
      frame.put((byte) (payload[n] ^ mask >>> (3 - n % 4) * 8));
    }
    return Arrays.copyOf(frame.array(), frame.position());
  }
}
