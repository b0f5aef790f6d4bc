package io.galop.loadtest.chaos;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a run leaves to be judged.
 *
 * @param published all records
 * @param stores of each place that records are asked of: the key of every record that it gave, one
 *     for each time
 * @param positions all Positions that history knows: key → Position
 * @param journals of viewers that have watched to the end
 */
public record Evidence(
    Collection<PublishedRecords.Entry> published,
    Map<String, List<String>> stores,
    Map<String, SeenPosition> positions,
    List<Journal> journals) {

  /** What of it concerns some records; all words that viewers were told stay. */
  public Evidence about(Predicate<PublishedRecords.Entry> which) {
    List<PublishedRecords.Entry> some = published.stream().filter(which).toList();
    Set<String> ids =
        some.stream().map(PublishedRecords.Entry::id).collect(Collectors.toUnmodifiableSet());
    Map<String, List<String>> keys = new TreeMap<>();
    stores.forEach((name, all) -> keys.put(name, all.stream().filter(ids::contains).toList()));
    return new Evidence(
        some, keys, positions, journals.stream().map(one -> one.about(ids)).toList());
  }
}
