package io.galop.enrich;

import io.galop.record.Record;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Work that is neither stored nor failed. Second copies are rare, so the index of ids is made
 * when the first one comes and given up when nothing is under way any more.
 */
final class UnderWay {
  private final Set<Work> works = new LinkedHashSet<>();
  private final Map<RawId, Work> byRawId = new HashMap<>();
  private boolean indexed;

  void add(Work work) {
    works.add(work);
    if (indexed) {
      index(work);
    }
  }

  void remove(Work work) {
    works.remove(work);
    if (works.isEmpty()) {
      byRawId.clear();
      indexed = false;
    } else if (indexed) {
      work.fresh.forEach(record -> byRawId.remove(RawId.of(record), work));
      work.again.forEach(record -> byRawId.remove(RawId.of(record), work));
    }
  }

  /** The Work that a raw record is part of. */
  Optional<Work> takingCareOf(Record raw) {
    if (!indexed) {
      works.forEach(this::index);
      indexed = true;
    }
    return Optional.ofNullable(byRawId.get(RawId.of(raw)));
  }

  private void index(Work work) {
    for (Record record : work.fresh) {
      byRawId.put(RawId.of(record), work);
    }
    for (Record record : work.again) {
      byRawId.put(RawId.of(record), work);
    }
  }
}
