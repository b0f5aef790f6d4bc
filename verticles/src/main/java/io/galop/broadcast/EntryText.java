package io.galop.broadcast;

import io.galop.record.Position;
import io.galop.record.Record;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes what browsers are sent of a record, in UTF-8 and in one copy: for each record that a node
 * shows this is done once, so neither strings nor builders are made on the way.
 */
final class EntryText {
  private static final FastThreadLocal<EntryText> OF_THREAD =
      new FastThreadLocal<>() {
        @Override
        protected EntryText initialValue() {
          return new EntryText();
        }
      };

  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] TIME = ascii(",\"time\":");
  private static final byte[] DATA = ascii(",\"data\":");
  private static final byte[] TOPIC = ascii("},\"headers\":{\"topic\":");
  private static final byte[] POSITION = ascii(",\"pos\":\"");
  private static final byte[] END = ascii("\"}}");
  private static final int LONGEST_NUMBER = 20;
  private byte[] bytes = new byte[512];
  private int size;

  private EntryText() {}

  /** The message to a browser from the value of {@code body} on. */
  static byte[] of(Position position, Record record) {
    return OF_THREAD.get().write(position, record);
  }

  private byte[] write(Position position, Record record) {
    size = 0;
    put(ID).quote(record.id()).put(TIME).number(record.timeUs()).put(DATA);
    int head = size;
    put(TOPIC).quote(record.topic()).put(POSITION).number(position.shard()).put('.');
    number(position.epoch()).put('-').number(position.offset()).put(END);
    byte[] data = record.data();
    byte[] all = new byte[size + data.length];
    System.arraycopy(bytes, 0, all, 0, head);
    System.arraycopy(data, 0, all, head, data.length);
    System.arraycopy(bytes, head, all, head + data.length, size - head);
    return all;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  private EntryText put(byte[] text) {
    room(text.length);
    System.arraycopy(text, 0, bytes, size, text.length);
    size += text.length;
    return this;
  }

  private EntryText put(char ascii) {
    room(1);
    bytes[size++] = (byte) ascii;
    return this;
  }

  /** A decimal number. */
  private EntryText number(long number) {
    if (number < 0) { // the smallest has no positive
      return put(ascii(Long.toString(number)));
    }
    room(LONGEST_NUMBER);
    int digits = 1;
    for (long left = number; left > 9; left /= 10) {
      digits++;
    }
    long left = number;
    for (int i = size + digits - 1; i >= size; i--) {
      bytes[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    size += digits;
    return this;
  }

  /** A JSON string (RFC 8259, 7), quotes included. */
  private EntryText quote(String text) {
    put('"');
    room(6 * text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return quoteRest(text.substring(i));
      }
      quoted((byte) c);
    }
    return put('"');
  }

  private EntryText quoteRest(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    room(6 * utf8.length);
    for (byte b : utf8) {
      quoted(b);
    }
    return put('"');
  }

  /** Bytes of characters beyond ASCII are negative. */
  private void quoted(byte b) {
    if (b >= 0 && b < 0x20) {
      bytes[size++] = '\\';
      bytes[size++] = 'u';
      bytes[size++] = '0';
      bytes[size++] = '0';
      bytes[size++] = HEX[b >> 4];
      bytes[size++] = HEX[b & 15];
      return;
    }
    if (b == '"' || b == '\\') {
      bytes[size++] = '\\';
    }
    bytes[size++] = b;
  }
}
