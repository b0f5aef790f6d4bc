package io.galop.enrich.script.swap;

import java.util.Locale;

/** How far a new version of a script is. */
enum RolloutPhase {
  /** It is being loaded, and its cases are run. */
  LOADING,
  /** It sees what the live version sees; what it returns is thrown away. */
  SHADOW,
  /** It is being put in the place of the live version. */
  SWAPPING,
  /** It is the live version. */
  PROMOTED,
  /** It was tried on live records and did worse than is allowed. */
  ROLLED_BACK,
  /** It could not be loaded, or a case failed. */
  REFUSED;

  boolean isEnd() {
    return compareTo(PROMOTED) >= 0;
  }

  /** As in status, metrics and documents. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
