package io.galop.extend;

import io.vertx.core.Vertx;
import io.vertx.core.spi.VerticleFactory;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The languages that verticles can be written in here: those of Galop, and those of add-ons. */
final class Languages {
  /** Prefix → the name of the add-on that brings the language. */
  private static final Map<String, String> ADD_ONS =
      Map.of("py", "python", "groovy", "groovy", "kt", "kotlin");

  private final Map<String, HostedFactory> byPrefix = new TreeMap<>();

  Languages() {
    for (VerticleFactory factory :
        ServiceLoader.load(VerticleFactory.class, LibJars.shared().loader())) {
      if (factory instanceof HostedFactory hosted) {
        byPrefix.put(hosted.prefix(), hosted);
      }
    }
  }

  Optional<HostedFactory> find(String prefix) {
    return Optional.ofNullable(byPrefix.get(prefix));
  }

  /** Why a language is not there, and what to do. */
  String missing(String prefix) {
    String known = "here are " + String.join(", ", byPrefix.keySet());
    return Optional.ofNullable(ADD_ONS.get(prefix))
        .map(
            name ->
                "the add-on for %s: is not there: run './galop add %s', or put galop-%s.jar into the directory lib beside galop.jar; %s"
                    .formatted(prefix, name, name, known))
        .orElse("there is no language '%s:'; %s".formatted(prefix, known));
  }

  /** Lets Vert.x know those that it does not find by itself. */
  void register(Vertx vertx) {
    ClassLoader own = Languages.class.getClassLoader();
    byPrefix.values().stream()
        .filter(factory -> factory.getClass().getClassLoader() != own)
        .forEach(vertx::registerVerticleFactory);
  }
}
