package io.galop.extend;

import io.galop.config.GalopConfig;
import io.galop.config.VerticleConfig;
import io.galop.guest.SourceFile;
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
      int known = problems.size();
      languages
          .find(verticle.prefix())
          .ifPresentOrElse(
              factory -> check(factory, verticle, config, path, problems),
              () -> problems.add(path + languages.missing(verticle.prefix())));
      if (problems.size() == known && !verticle.prefix().equals("java")) {
        settings(verticle, config, "verticles[" + i + "].settings: ", problems);
      }
    }
    return problems;
  }

  private static void settings(
      VerticleConfig verticle, GalopConfig config, String path, List<String> problems) {
    SourceFile file = SourceFile.find(config.enrich().directory(), verticle.target());
    List<String> missing = NamedSettings.missing(file, verticle.settings().keySet());
    if (!missing.isEmpty()) {
      problems.add(
          path + verticle.target() + " says that it needs " + String.join(", ", missing) + " too");
    }
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
