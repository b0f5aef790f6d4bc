package io.galop.ops.drill;

import java.util.Locale;

/** What goes wrong on purpose in a round; each has to be found. */
public enum DrillFault {
  /** Nothing. */
  NONE,
  /** A record is sent twice: it has to be shown once. */
  DOUBLED,
  /** A record of three is not sent: the check of what is shown has to miss it, and no other. */
  LOST,
  /** A record is sent while viewers are away: they have to be given it, and told that it is all. */
  LATE,
  /** A topic falls silent: viewers have to be told, and told again when it is back. */
  SILENT,
  /** A record that enrichment refuses: a dead letter has to say so, and nothing else be shown. */
  REFUSED;

  /** The word in reports and meters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The fault of a word.
   *
   * @throws IllegalArgumentException naming what there is
   */
  public static DrillFault of(String word) {
    for (DrillFault one : values()) {
      if (one.word().equals(word)) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "fault must be none, doubled, lost, late, silent or refused, not '" + word + "'");
  }
}
