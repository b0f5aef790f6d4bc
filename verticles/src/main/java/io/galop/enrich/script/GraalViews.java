package io.galop.enrich.script;

/** How records, their data and states look in a language of GraalVM. */
public interface GraalViews {
  /** What is shown instead of a value of the host. */
  interface View {
    /** The value of the host. */
    Object shown();
  }

  /** What data is made of. */
  JsonNodes nodes();

  /** A record; a {@link View}. */
  Object record(ScriptRecord record);

  /** A state's value; for a map or list a {@link View}, and always the same one. */
  Object state(Object value);
}
