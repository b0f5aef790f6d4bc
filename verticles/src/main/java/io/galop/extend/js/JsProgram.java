package io.galop.extend.js;

import io.galop.extend.GalopApi;
import io.galop.extend.GuestEngine;
import io.galop.extend.GuestProgram;
import io.galop.guest.SourceFile;
import io.vertx.core.Future;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;

/** A verticle in JavaScript. */
final class JsProgram extends GuestProgram {
  private JsProgram(SourceFile script, Context context) {
    super(JsVerticleFactory.LANGUAGE, script, context);
  }

  /** Makes the context that {@link #start} runs the script in. */
  static JsProgram open(SourceFile script, GalopApi galop) {
    Context context =
        GuestEngine.context(JsVerticleFactory.LANGUAGE, galop.getLog())
            .allowExperimentalOptions(true)
            .option("js.strict", "true")
            .option("js.unhandled-rejections", "throw")
            .build();
    Value globals = context.getBindings(JsVerticleFactory.LANGUAGE);
    globals.putMember("vertx", galop.getVertx());
    globals.putMember("galop", context.eval(JsBootstrap.SOURCE).execute(new JsHost(galop)));
    return new JsProgram(script, context);
  }

  @Override
  protected Future<?> future(Value returned) {
    return JsPromise.future(returned);
  }
}
