package io.galop.broadcast.edge;

import io.galop.config.GalopConfig;
import java.util.List;

/** Tries the key that browsers' tokens are verified with, before anything is started. */
public final class EdgeCheck {
  private EdgeCheck() {}

  /**
   * Reads the key, if there is to be one; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public static List<String> problems(GalopConfig config) {
    if (!config.broadcast().token().isAsked()) {
      return List.of();
    }
    try {
      TokenKey.read(config.broadcast().token());
      return List.of();
    } catch (IllegalArgumentException e) {
      return List.of(e.getMessage());
    }
  }
}
