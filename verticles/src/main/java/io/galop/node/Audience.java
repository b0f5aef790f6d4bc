package io.galop.node;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Those for whom a node is there. It may be of use to the one and of none to the other. */
public enum Audience {
  /** Who sends records. */
  PUBLISHERS,
  /** Who looks at them. */
  VIEWERS;

  /** Both. */
  public static Set<Audience> all() {
    return EnumSet.allOf(Audience.class);
  }

  /** The word in answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
