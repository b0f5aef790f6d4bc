package io.galop.enrich;

import io.galop.config.enrich.LookupConfig;
import io.galop.json.JsonField;
import io.galop.record.Record;

/** Takes the key of a look-up from a record; belongs to one thread. */
final class LookupKey {
  /** Where the record holds no key. */
  static final String NONE = "";

  private final JsonField field;
  private final int level;
  private final String where;

  LookupKey(LookupConfig config) {
    this.field = new JsonField(config.field());
    this.level = config.topicLevel();
    this.where =
        level > 0 ? "level " + level + " of the topic" : "the field '" + config.field() + "'";
  }

  String of(Record record) {
    if (level > 0) {
      return level(record.topic());
    }
    return field.find(record.data()) && !field.isNested() ? field.text() : NONE;
  }

  private String level(String topic) {
    int start = 0;
    for (int i = 1; i < level; i++) {
      start = topic.indexOf('/', start) + 1;
      if (start == 0) {
        return NONE;
      }
    }
    int end = topic.indexOf('/', start);
    return topic.substring(start, end < 0 ? topic.length() : end);
  }

  /** Where the key stands, for a message. */
  String where() {
    return where;
  }
}
