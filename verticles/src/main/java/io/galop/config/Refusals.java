package io.galop.config;

/** Takes what is wrong. */
public interface Refusals {
  /** At a dotted path, what must be otherwise. */
  void add(String path, String rule);
}
