package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;

/** One step of a mapping. */
interface Rule {
  /** Where it stands. */
  MappingPlace place();

  /**
   * Does it.
   *
   * @return whether the rules after it, in its list, are to be done too
   * @throws ScriptFailure naming the place
   */
  boolean run(MappingCall call) throws ScriptFailure;
}
