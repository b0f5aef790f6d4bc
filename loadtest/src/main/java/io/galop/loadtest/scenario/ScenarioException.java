package io.galop.loadtest.scenario;

import java.util.List;

/** A scenario file with mistakes, each with its line and key. */
public final class ScenarioException extends Exception {
  private static final long serialVersionUID = 1L;

  ScenarioException(List<String> problems) {
    super(String.join("\n", problems));
  }
}
