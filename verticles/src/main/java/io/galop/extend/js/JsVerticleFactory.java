package io.galop.extend.js;

import io.galop.extend.GuestEngine;
import io.galop.extend.HostedFactory;
import io.galop.extend.Program;

/** Verticles in JavaScript. */
public final class JsVerticleFactory extends HostedFactory {
  static final String LANGUAGE = "js";

  @Override
  public String prefix() {
    return LANGUAGE;
  }

  @Override
  protected void check(String target, String directory) {
    GuestEngine.parse(LANGUAGE, find(directory, target));
  }

  @Override
  protected Program open(Opening opening) {
    return JsProgram.open(find(opening.directory(), opening.target()), opening.galop());
  }
}
