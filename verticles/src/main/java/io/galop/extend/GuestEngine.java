package io.galop.extend;

import io.galop.bus.UnsafeWarning;
import java.io.OutputStream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.slf4j.Logger;

/**
 * The GraalVM languages as verticles use them: full access, and no limits but being cut off. An
 * engine has one rule of access for all its contexts, so this is not that of scripts that enrich.
 */
public final class GuestEngine {
  private GuestEngine() {}

  private static final class Shared {
    static final Engine ENGINE = open();

    private static Engine open() {
      UnsafeWarning.silence();
      return Engine.newBuilder().option("engine.WarnInterpreterOnly", "false").build();
    }
  }

  /** The engine that all such verticles of the process share; made with the first. */
  public static Engine engine() {
    return Shared.ENGINE;
  }

  /** A context of a verticle's own, whose output goes to its log. */
  public static Context.Builder context(String language, Logger log) {
    OutputStream lines = new LogLines(log);
    return Context.newBuilder(language).engine(engine()).allowAllAccess(true).out(lines).err(lines);
  }

  /**
   * Reads a script without running it.
   *
   * @throws ProgramException with the line that cannot be read
   */
  public static void parse(String language, ScriptText script) {
    try (Context context =
        Context.newBuilder(language).engine(engine()).allowAllAccess(true).build()) {
      context.parse(source(language, script));
    } catch (PolyglotException e) {
      throw new ProgramException(inWords(e, script.name()));
    }
  }

  /** A script for the engine. */
  public static Source source(String language, ScriptText script) {
    return Source.newBuilder(language, script.text(), script.name()).buildLiteral();
  }

  /** What went wrong in a script, in one sentence with file and line. */
  public static String inWords(Throwable failure, String file) {
    if (!(failure instanceof PolyglotException guest)) {
      return Failures.inWords(failure);
    }
    Throwable host = guest.isHostException() ? guest.asHostException() : guest;
    String what =
        host == guest
            ? Failures.firstLine(String.valueOf(guest.getMessage()))
            : Failures.inWords(host);
    return what + where(guest, file);
  }

  private static String where(PolyglotException guest, String file) {
    if (isIn(guest.getSourceLocation(), file)) {
      return at(guest.getSourceLocation(), file);
    }
    for (PolyglotException.StackFrame frame : guest.getPolyglotStackTrace()) {
      if (frame.isGuestFrame() && isIn(frame.getSourceLocation(), file)) {
        return at(frame.getSourceLocation(), file);
      }
    }
    return "";
  }

  private static boolean isIn(SourceSection section, String file) {
    return section != null && section.getSource().getName().equals(file);
  }

  private static String at(SourceSection section, String file) {
    return " (" + file + ", line " + section.getStartLine() + ")";
  }
}
