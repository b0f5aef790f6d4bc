package io.galop.extend;

import io.galop.config.GalopConfig;
import io.galop.config.VerticleConfig;
import java.util.ArrayList;
import java.util.List;

/** Looks at the verticles of a configuration before anything is started. */
public final class VerticleCheck {
  private VerticleCheck() {}

  /**
   * Finds each language, file and class, and reads the files; blocks, a second or two.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>();
    if (config.verticles().isEmpty()) {
      return problems;
    }
    Languages languages = new Languages();
    for (int i = 0; i < config.verticles().size(); i++) {
      VerticleConfig verticle = config.verticles().get(i);
      String path = "verticles[" + i + "].name: ";
      languages
          .find(verticle.prefix())
          .ifPresentOrElse(
              factory -> check(factory, verticle, config, path, problems),
              () -> problems.add(path + languages.missing(verticle.prefix())));
    }
    return problems;
  }

  private static void check(
      HostedFactory factory,
      VerticleConfig verticle,
      GalopConfig config,
      String path,
      List<String> problems) {
    try {
      factory.check(verticle.target(), config.enrich().directory());
    } catch (ProgramException e) {
      problems.add(path + e.getMessage());
    }
  }
}
