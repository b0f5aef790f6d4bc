package io.galop.servers;

import java.util.regex.Pattern;

/** A node's log on a machine that stands still now and then: that is no fault of the node. */
public final class Stalls {
  private static final Pattern DATED = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT");

  private Stalls() {}

  /** The log without what is said of threads and processes that stood still, traces and all. */
  public static String without(String log) {
    StringBuilder kept = new StringBuilder();
    boolean isStall = false;
    for (String line : log.split("\n", -1)) {
      if (DATED.matcher(line).lookingAt()) {
        isStall = line.contains(" BlockedThreadChecker ") || line.contains(" process paused for ");
      } else if (!line.startsWith("\tat ") && !line.startsWith("io.vertx.core.VertxException")) {
        isStall = false; // what has no date, as of a thread that died, is no part of it
      }
      if (!isStall) {
        kept.append(line).append('\n');
      }
    }
    return kept.toString();
  }
}
