package io.galop.broadcast.hub;

import io.galop.expression.RecordFilter;
import io.galop.json.JsonOmit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which records of its filter a registration is sent, and which fields of their data. Registrations
 * of the same filter and selection are sent the same bytes.
 *
 * @param where is true of each record; empty: all are sent
 * @param fields that are shown; empty: all
 * @param omit fields that are never shown, and that {@code where} does not see either
 */
public record Selection(
    Optional<RecordFilter> where, Optional<Set<String>> fields, Set<String> omit) {
  /** All records with all of their fields. */
  public static final Selection ALL = without(Set.of());

  public Selection {
    fields = fields.map(Set::copyOf);
    omit = Set.copyOf(omit);
  }

  /** All records without some fields. */
  public static Selection without(Set<String> omit) {
    return new Selection(Optional.empty(), Optional.empty(), omit);
  }

  /** The same of the records of which a condition is true; of all where there is none. */
  public Selection where(Optional<RecordFilter> condition) {
    return new Selection(condition, fields, omit);
  }

  /** The same with these fields only; with all if that is none. */
  public Selection showing(Set<String> names) {
    return new Selection(where, names.isEmpty() ? Optional.empty() : Optional.of(names), omit);
  }

  boolean isAll() {
    return where.isEmpty() && cut().isEmpty();
  }

  /** What is left out of data; empty: nothing. */
  Optional<JsonOmit> cut() {
    if (fields.isPresent()) {
      Set<String> shown = new HashSet<>(fields.get());
      shown.removeAll(omit);
      return Optional.of(JsonOmit.allBut(shown));
    }
    return omit.isEmpty() ? Optional.empty() : Optional.of(new JsonOmit(omit));
  }
}
