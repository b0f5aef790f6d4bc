package io.galop.enrich.script;

import io.galop.bus.UnsafeWarning;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One engine for each language of the process, so that each script is parsed once, and compiled
 * once where there is a compiler.
 */
public final class GraalEngines {
  private static final Logger LOG = LoggerFactory.getLogger(GraalEngines.class);
  private static final Map<String, Engine> ENGINES = new ConcurrentHashMap<>();
  private static final AtomicBoolean SAID = new AtomicBoolean();

  private GraalEngines() {}

  /**
   * The engine of a language; made when its first script is.
   *
   * @param language as GraalVM calls it: js, python
   */
  public static Engine of(String language) {
    return ENGINES.computeIfAbsent(language, GraalEngines::open);
  }

  private static Engine open(String language) {
    UnsafeWarning.silence();
    Engine engine =
        Engine.newBuilder(language).option("engine.WarnInterpreterOnly", "false").build();
    boolean interpreted = engine.getImplementationName().equals("Interpreted");
    if (SAID.compareAndSet(false, true) && interpreted) {
      LOG.info(
          "scripts are interpreted: this Java has no Graal compiler, which runs them faster;"
              + " docs/scripts.md says how to add it");
    } else if (!interpreted) {
      LOG.info("scripts in {} are compiled by {}", language, engine.getImplementationName());
    }
    return engine;
  }
}
