package io.galop.ops.letters;

import io.galop.bus.Page;
import io.galop.record.Placed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pages of several nodes as one, each letter once and without a hole. Pure functions.
 *
 * @param letters in the order that was asked for
 * @param next behind which there may be more; empty: there is none
 * @param missing names of nodes that did not answer or were not read to the end, and of stores that
 *     a node's answer is without
 */
record LetterPage(List<Placed> letters, Optional<LetterPlace> next, Collection<String> missing) {
  LetterPage {
    letters = List.copyOf(letters);
    missing = List.copyOf(missing);
  }

  /**
   * Puts the first pages of nodes together.
   *
   * @param pages by the name of the node
   * @param unanswered names of nodes that did not answer
   */
  static LetterPage of(
      Map<String, Page> pages, Collection<String> unanswered, boolean newestFirst) {
    Comparator<LetterPlace> order =
        newestFirst ? Comparator.reverseOrder() : Comparator.naturalOrder();
    TreeMap<LetterPlace, Placed> all = new TreeMap<>(order);
    TreeSet<String> missing = new TreeSet<>(unanswered);
    Optional<LetterPlace> end = Optional.empty();
    for (Map.Entry<String, Page> one : pages.entrySet()) {
      Page page = one.getValue();
      page.missing().forEach(store -> missing.add(one.getKey() + "/" + store));
      page.records()
          .forEach(placed -> all.merge(LetterPlace.of(placed.record()), placed, LetterPage::later));
      if (NodeLetters.isUnfinished(page)) {
        missing.add(one.getKey());
      }
      if (!page.next().isEmpty()) {
        LetterPlace last = readTo(page);
        end = end.filter(known -> order.compare(known, last) <= 0).or(() -> Optional.of(last));
      }
    }
    // behind the end of a page that is not the last one, letters in between may be missing
    Collection<Placed> shown = end.map(last -> all.headMap(last, true)).orElse(all).values();
    return new LetterPage(new ArrayList<>(shown), end, missing);
  }

  /** How far a node was read, of a page that goes on. */
  private static LetterPlace readTo(Page page) {
    List<Placed> records = page.records();
    return records.isEmpty()
        ? LetterPlace.behind(page.next())
        : LetterPlace.of(records.get(records.size() - 1).record());
  }

  /** No more than so many of them; what is left is behind {@link #next}. */
  LetterPage first(int limit) {
    if (letters.size() <= limit) {
      return this;
    }
    LetterPlace last = LetterPlace.of(letters.get(limit - 1).record());
    return new LetterPage(letters.subList(0, limit), Optional.of(last), missing);
  }

  private static Placed later(Placed a, Placed b) {
    return a.position().compareTo(b.position()) < 0 ? b : a;
  }
}
