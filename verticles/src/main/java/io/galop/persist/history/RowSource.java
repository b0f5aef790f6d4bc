package io.galop.persist.history;

import java.util.List;
import java.util.Optional;

/**
 * What rows are made of: the records of nodes, whose first pages are loaded, and where roll-ups
 * tell a part of it, those before, the buckets, and the records behind.
 */
record RowSource(List<NodeAnswer> records, Optional<Rolled> rolled, List<NodeAnswer> behind) {}
