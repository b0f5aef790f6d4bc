package io.galop.extend;

import io.galop.guest.GraalLanguage;
import io.galop.guest.SourceFile;
import io.vertx.core.Future;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/**
 * A verticle in a language of GraalVM: a context of its own, on the thread of its instance. What
 * stands outside of functions runs first, then {@code start}.
 */
public abstract class GuestProgram implements Program {
  private final String language;
  private final SourceFile script;
  private final Context context;

  /**
   * A verticle that is to be started.
   *
   * @param language as GraalVM calls it
   * @param context for this verticle alone
   */
  protected GuestProgram(String language, SourceFile script, Context context) {
    this.language = language;
    this.script = script;
    this.context = context;
  }

  /** The source. */
  protected final SourceFile script() {
    return script;
  }

  /** Complete when what a function has returned is; at once where there is nothing to wait for. */
  protected Future<?> future(Value returned) {
    return hostFuture(returned);
  }

  /** A Future of the host that a function has returned, as of what it has published; or done. */
  public static Future<?> hostFuture(Value returned) {
    return returned.isHostObject() && returned.asHostObject() instanceof Future<?> pending
        ? pending
        : Future.succeededFuture();
  }

  @Override
  public final Future<?> start() {
    context.eval(GraalLanguage.source(language, script));
    return call("start");
  }

  @Override
  public final Future<?> stop() {
    return call("stop");
  }

  private Future<?> call(String name) {
    Value function = context.getBindings(language).getMember(name);
    return function != null && function.canExecute()
        ? future(function.execute())
        : Future.succeededFuture();
  }

  @Override
  public final void close() {
    context.close(true);
  }

  @Override
  public final void cancel() {
    context.close(true);
  }

  @Override
  public String describe(Throwable failure) {
    return GuestEngine.inWords(failure, script.name());
  }
}
