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
  private final Map<String, Work> byRawId = new HashMap<>();
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
      work.fresh.forEach(record -> byRawId.remove(record.id(), work));
      work.again.forEach(record -> byRawId.remove(SeenIds.rawId(record.id()), work));
    }
  }

  /** The Work that a raw id is part of. */
  Optional<Work> takingCareOf(String rawId) {
    if (!indexed) {
      works.forEach(this::index);
      indexed = true;
    }
    return Optional.ofNullable(byRawId.get(rawId));
  }

  private void index(Work work) {
    for (Record record : work.fresh) {
      byRawId.put(record.id(), work);
    }
    for (Record record : work.again) {
      byRawId.put(SeenIds.rawId(record.id()), work);
    }
  }
}
