package io.galop.extend.js;

import io.galop.extend.GalopApi;
import io.galop.extend.GuestEngine;
import io.galop.extend.Program;
import io.galop.extend.ProgramException;
import io.galop.extend.ScriptText;
import io.vertx.core.Future;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/** A verticle in JavaScript: its own global state, on the thread of its instance. */
final class JsProgram implements Program {
  private final ScriptText script;
  private final Context context;

  private JsProgram(ScriptText script, Context context) {
    this.script = script;
    this.context = context;
  }

  /** Makes the context that {@link #start} runs the script in. */
  static JsProgram open(ScriptText script, GalopApi galop) {
    Context context =
        GuestEngine.context(JsVerticleFactory.LANGUAGE, galop.getLog())
            .allowExperimentalOptions(true)
            .option("js.strict", "true")
            .option("js.unhandled-rejections", "throw")
            .build();
    JsProgram program = new JsProgram(script, context);
    Value globals = context.getBindings(JsVerticleFactory.LANGUAGE);
    globals.putMember("vertx", galop.getVertx());
    globals.putMember("galop", context.eval(JsBootstrap.SOURCE).execute(new JsHost(galop)));
    return program;
  }

  @Override
  public Future<?> start() {
    try {
      context.eval(GuestEngine.source(JsVerticleFactory.LANGUAGE, script));
      return call("start");
    } catch (PolyglotException e) {
      throw new ProgramException(describe(e));
    }
  }

  private Future<?> call(String name) {
    Value function = context.getBindings(JsVerticleFactory.LANGUAGE).getMember(name);
    return function != null && function.canExecute()
        ? JsPromise.future(function.execute())
        : Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    return call("stop");
  }

  @Override
  public void close() {
    context.close(true);
  }

  @Override
  public void cancel() {
    context.close(true);
  }

  @Override
  public String describe(Throwable failure) {
    return GuestEngine.inWords(failure, script.name());
  }
}
