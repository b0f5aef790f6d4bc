package io.galop.enrich.script.rhino;

import io.galop.enrich.script.ScriptRecord;
import org.mozilla.javascript.NativeObject;

/** A record as a script is given it: an object whose members cannot be set. */
final class RecordObject extends NativeObject {
  private static final long serialVersionUID = 1L;
  private static final int FIXED = READONLY | PERMANENT;

  private final transient ScriptRecord record;

  RecordObject(ScriptRecord record) {
    this.record = record;
    defineProperty("id", record.getId(), FIXED);
    defineProperty("topic", record.getTopic(), FIXED);
    defineProperty("timeUs", record.getTimeUs(), FIXED);
    defineProperty("data", record.getData(), FIXED);
  }

  ScriptRecord record() {
    return record;
  }
}
