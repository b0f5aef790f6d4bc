package io.galop.enrich;

import io.galop.config.enrich.DropConfig;
import io.galop.json.JsonField;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import java.util.List;

/** Drops records, all or those with a given value in a field. */
final class Drop implements EachRecord.Step {
  private final boolean all;
  private final JsonField field;
  private final String value;
  private final Counter dropped;

  Drop(DropConfig config, Counter dropped) {
    this.all = config.field().isEmpty();
    this.field = new JsonField(config.field());
    this.value = config.equals();
    this.dropped = dropped;
  }

  @Override
  public void apply(Record record, List<Record> to) {
    if (all || holdsValue(record)) {
      dropped.increment();
    } else {
      to.add(record);
    }
  }

  private boolean holdsValue(Record record) {
    return field.find(record.data()) && !field.isNested() && field.text().equals(value);
  }
}
