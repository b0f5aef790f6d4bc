package io.galop.enrich.script;

import java.util.ArrayList;
import java.util.List;

/** What a call has written into a topic's state and has not been looked at yet. */
final class StateChanges {
  /** A map or list of the state. */
  interface Container {
    /** Makes what was written plain; see {@link StateChanges#settle}. */
    void settle(PlainFunction plain) throws ScriptFailure;
  }

  private final List<Container> changed = new ArrayList<>();

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
}
