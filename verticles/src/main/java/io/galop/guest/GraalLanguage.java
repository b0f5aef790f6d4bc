package io.galop.guest;

import io.galop.jvm.UnsafeWarning;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Engines, sources and numbers of the languages of GraalVM. */
public final class GraalLanguage {
  private static final Logger LOG = LoggerFactory.getLogger(GraalLanguage.class);
  private static final AtomicBoolean SAID = new AtomicBoolean();

  /**
   * What types of numbers with a fraction are called in JavaScript, in Python and by the engine.
   */
  private static final Set<String> FRACTIONS = Set.of("number", "Number", "float", "Double");

  private GraalLanguage() {}

  /**
   * A new engine; the first of the process has the log say whether there is a compiler.
   *
   * @param languages that it is for, as GraalVM calls them; none: for all
   */
  public static Engine engine(String... languages) {
    UnsafeWarning.silence();
    Engine engine =
        Engine.newBuilder(languages).option("engine.WarnInterpreterOnly", "false").build();
    if (SAID.compareAndSet(false, true)) {
      say(engine.getImplementationName());
    }
    return engine;
  }

  /** For commands whose answer is short: nothing is said of the compiler in this process. */
  public static void quiet() {
    SAID.set(true);
  }

  private static void say(String runtime) {
    if (runtime.equals("Interpreted")) {
      LOG.info(
          "JavaScript and Python are interpreted: this Java has no Graal compiler, which runs them"
              + " faster; docs/scripts.md says how to add it");
    } else {
      LOG.info("JavaScript and Python are compiled by {}", runtime);
    }
  }

  /** A file for an engine. */
  public static Source source(String language, SourceFile file) {
    return Source.newBuilder(language, file.text(), file.name()).buildLiteral();
  }

  /** A number of a language: whole ones exactly, whatever their size. */
  public static Object number(Value value) {
    if (value.fitsInInt()) {
      return value.asInt();
    } else if (value.fitsInLong()) {
      return value.asLong();
    }
    if (value.fitsInDouble()) {
      double number = value.asDouble();
      if (number != Math.rint(number) || !isWhole(value)) {
        return number;
      }
    }
    return value.asBigInteger();
  }

  /** A large one may have no fraction and be no whole number for its language, as 1e300. */
  private static boolean isWhole(Value large) {
    if (!large.fitsInBigInteger()) {
      return false;
    }
    Value type = large.getMetaObject();
    return type == null || !FRACTIONS.contains(type.getMetaSimpleName());
  }
}
