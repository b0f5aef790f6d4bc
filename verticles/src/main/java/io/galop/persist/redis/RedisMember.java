package io.galop.persist.redis;

import io.galop.persist.store.ColdKey;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;

/**
 * What names a record in its shard: the id, a tab and the topic. The tab stands in neither and is
 * less than all that does, so that the server's order of names is that of ids, then of topics.
 * Until schema version 2 it was the id alone.
 */
final class RedisMember {
  private static final char TAB = '\t';

  private RedisMember() {}

  static byte[] of(Record record) {
    return of(record.id(), record.topic());
  }

  static byte[] of(String id, String topic) {
    return (id + TAB + topic).getBytes(StandardCharsets.UTF_8);
  }

  static boolean hasTopic(byte[] member) {
    return text(member).indexOf(TAB) >= 0;
  }

  static String id(byte[] member) {
    String text = text(member);
    int tab = text.indexOf(TAB);
    return tab < 0 ? text : text.substring(0, tab);
  }

  static ColdKey key(long timeUs, byte[] member) {
    String text = text(member);
    return new ColdKey(timeUs, id(member), text.substring(text.indexOf(TAB) + 1));
  }

  private static String text(byte[] member) {
    return new String(member, StandardCharsets.UTF_8);
  }
}
