package io.galop.enrich.script;

import io.galop.bus.UnsafeWarning;
import org.graalvm.polyglot.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine that all scripts of the process share, so that each is parsed once. */
final class ScriptRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptRuntime.class);

  private ScriptRuntime() {}

  /** Made when the first script is; a node without scripts never pays for it. */
  static Engine engine() {
    return Shared.ENGINE;
  }

  private static final class Shared {
    static final Engine ENGINE = open();

    private static Engine open() {
      UnsafeWarning.silence();
      // Without the compiler scripts are interpreted: slower, and chosen by whoever starts the JVM.
      Engine engine = Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
      LOG.info("scripts run on GraalJS, {}", engine.getImplementationName());
      return engine;
    }
  }
}
