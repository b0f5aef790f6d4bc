package io.galop.extend;

import io.galop.guest.GraalLanguage;
import io.galop.guest.GraalPlace;
import io.galop.guest.LogLines;
import io.galop.guest.SourceFile;
import java.io.OutputStream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.slf4j.Logger;

/**
 * The GraalVM languages as verticles use them: full access, and no limits but being cut off. An
 * engine has one rule of access for all its contexts, so this is not that of scripts that enrich.
 */
public final class GuestEngine {
  private static final int MAX_LINE_BYTES = 1_000;
  private static final int MAX_LINES_A_SECOND = 50;

  private GuestEngine() {}

  /** The engine that all such verticles of the process share; made with the first. */
  private static final class Shared {
    static final Engine ENGINE = GraalLanguage.engine();
  }

  /** A context of a verticle's own, whose output goes to its log. */
  public static Context.Builder context(String language, Logger log) {
    OutputStream lines = new LogLines(log, "", MAX_LINE_BYTES, MAX_LINES_A_SECOND);
    return context(language).out(lines).err(lines);
  }

  private static Context.Builder context(String language) {
    return Context.newBuilder(language).engine(Shared.ENGINE).allowAllAccess(true);
  }

  /**
   * Reads a script without running it.
   *
   * @throws ProgramException with the line that cannot be read
   */
  public static void parse(String language, SourceFile script) {
    try (Context context = context(language).build()) {
      context.parse(GraalLanguage.source(language, script));
    } catch (PolyglotException e) {
      throw new ProgramException(inWords(e, script.name()));
    }
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
    return what + GraalPlace.where(guest, file);
  }
}
