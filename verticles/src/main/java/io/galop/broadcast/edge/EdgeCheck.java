package io.galop.broadcast.edge;

import io.galop.config.GalopConfig;
import io.galop.config.broadcast.TokenConfig;
import io.galop.jvm.Moment;
import java.util.ArrayList;
import java.util.List;

/** Tries the files that browsers' tokens are checked with, before anything is started. */
public final class EdgeCheck {
  private EdgeCheck() {}

  /**
   * Reads them, if there are to be any; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public static List<String> problems(GalopConfig config) {
    TokenConfig token = config.broadcast().token();
    if (!token.isAsked()) {
      return List.of();
    }
    List<String> problems = new ArrayList<>();
    collect(problems, () -> TokenKeys.of(token));
    collect(problems, () -> JwksReader.check(token.jwks()));
    collect(
        problems,
        () ->
            new RevocationFile(config.node().dataDir())
                .readInto(new Revocations(token), Moment.now()));
    return problems;
  }

  private static void collect(List<String> problems, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }
}
