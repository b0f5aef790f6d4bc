package io.galop.extend.js;

import io.galop.extend.GuestProgram;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** Waits for what a function of a script has returned. */
final class JsPromise {
  private JsPromise() {}

  /** Complete when a promise is; at once where the value is none. */
  static Future<?> future(Value returned) {
    if (returned.isHostObject() || !returned.canInvokeMember("then")) {
      return GuestProgram.hostFuture(returned);
    }
    Promise<Void> settled = Promise.promise();
    ProxyExecutable resolve =
        values -> {
          settled.tryComplete();
          return null;
        };
    ProxyExecutable reject =
        values -> {
          settled.tryFail(failure(values.length == 0 ? null : values[0]));
          return null;
        };
    returned.invokeMember("then", resolve, reject);
    return settled.future();
  }

  /** An Error knows where it was made; anything else that was thrown is said as it is. */
  private static Throwable failure(@Nullable Value reason) {
    if (reason != null && reason.isException()) {
      try {
        throw reason.throwException();
      } catch (PolyglotException e) {
        return e;
      }
    }
    return new RejectedPromise(String.valueOf(reason));
  }

  private static final class RejectedPromise extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RejectedPromise(String reason) {
      super(reason, null, false, false);
    }
  }
}
