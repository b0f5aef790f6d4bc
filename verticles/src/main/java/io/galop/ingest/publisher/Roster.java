package io.galop.ingest.publisher;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The publishers of a moment, by what each shows. Immutable. */
final class Roster {
  private record Entry(Publisher publisher, String mqttUser) {}

  private final Map<String, Entry> byToken = new HashMap<>();
  private final Map<String, Entry> bySubject = new HashMap<>();
  private final Map<String, Publisher> byName = new HashMap<>();

  /**
   * Makes one of a list.
   *
   * @param named gives the publisher of a name, which stays the same over several lists
   */
  Roster(List<Listed> listed, Function<Listed, Publisher> named) {
    for (Listed one : listed) {
      Entry entry = new Entry(named.apply(one), one.config().mqttUser());
      byName.put(one.config().name(), entry.publisher);
      if (!one.tokenSha256().isEmpty()) {
        byToken.put(one.tokenSha256(), entry);
      }
      if (!one.config().subject().isEmpty()) {
        bySubject.put(one.config().subject(), entry);
      }
    }
  }

  /** Who shows this; empty if nobody does. */
  Optional<Publisher> find(Credential shown) {
    if (shown.tokenSha256().isEmpty()) {
      return Optional.ofNullable(bySubject.get(shown.subject())).map(Entry::publisher);
    }
    return Optional.ofNullable(byToken.get(shown.tokenSha256())).map(Entry::publisher);
  }

  /** The same at a door that knows users. */
  Optional<Publisher> findUser(Credential shown) {
    Entry entry = byToken.get(shown.tokenSha256());
    boolean isWrong =
        entry != null && !entry.mqttUser.isEmpty() && !entry.mqttUser.equals(shown.mqttUser());
    return isWrong ? Optional.empty() : find(shown);
  }

  Map<String, Publisher> byName() {
    return byName;
  }
}
