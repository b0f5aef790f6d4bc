package io.galop.enrich.script.rhino;

/** What a script is shown instead of a map or list of a state. */
interface StateView {
  /** The map or list. */
  Object shown();
}
