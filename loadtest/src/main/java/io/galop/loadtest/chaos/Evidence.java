package io.galop.loadtest.chaos;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What a run leaves to be judged.
 *
 * @param published all records
 * @param stores of each place that records are asked of: the key of every record that it gave, one
 *     for each time
 * @param positions all Positions that history knows: key → Position
 * @param journals of viewers that have watched to the end
 */
record Evidence(
    Collection<PublishedRecords.Entry> published,
    Map<String, List<String>> stores,
    Map<String, SeenPosition> positions,
    List<Journal> journals) {}
