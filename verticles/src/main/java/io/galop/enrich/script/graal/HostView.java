package io.galop.enrich.script.graal;

/** What a language of GraalVM is shown instead of a value of the host. */
public interface HostView {
  /** The value of the host. */
  Object shown();
}
