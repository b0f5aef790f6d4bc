package io.galop.enrich.script;

import java.util.ArrayList;
import java.util.List;

/**
 * What a call has written into a topic's state and has not been looked at yet, and how large the
 * state is. To measure all of it for each call would cost more than most calls: what is written is
 * added, and what was removed counts until the sum has grown by a quarter.
 */
final class StateChanges {
  private static final int SLACK_BYTES = 1024;

  /** A map or list of the state. */
  interface Container {
    /** Makes what was written plain; see {@link StateChanges#settle}. */
    void settle(PlainFunction plain) throws ScriptFailure;
  }

  private final List<Container> changed = new ArrayList<>();
  private long bytes;
  private long measured;

  void add(Container container) {
    changed.add(container);
  }

  /**
   * Makes copies of what was written, so that nothing of a script is held by its state.
   *
   * @param plain turns a value of the script's language into one of the host
   * @throws ScriptFailure naming the first value that cannot be kept; all such are removed
   */
  void settle(PlainFunction plain) throws ScriptFailure {
    ScriptFailure refused = null;
    for (int i = 0; i < changed.size(); i++) {
      try {
        changed.get(i).settle(plain);
      } catch (ScriptFailure e) {
        refused = refused == null ? e : refused;
      }
    }
    changed.clear();
    if (refused != null) {
      throw refused;
    }
  }

  /** So much more, or less, is in a map or list, without the maps and lists in it. */
  void grow(long more) {
    bytes += more;
  }

  /** How large the state is: what was removed since it was measured counts too. */
  long bytes() {
    return bytes;
  }

  /** Whether it has to be measured, as it may be too much, or may have shrunk. */
  boolean isDoubtful(long limit) {
    return bytes > limit || bytes > measured + measured / 4 + SLACK_BYTES;
  }

  void measured(long exact) {
    bytes = exact;
    measured = exact;
  }
}
