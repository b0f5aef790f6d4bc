package io.galop.extend.python;

import io.galop.extend.GuestEngine;
import io.galop.extend.HostedFactory;
import io.galop.extend.Program;
import io.galop.guest.SourceFile;

/** Verticles in Python, by GraalPy. */
public final class PythonVerticleFactory extends HostedFactory {
  static final String LANGUAGE = "python";

  @Override
  public String prefix() {
    return "py";
  }

  @Override
  protected void check(String target, String directory) {
    GuestEngine.parse(LANGUAGE, find(directory, target));
  }

  @Override
  protected Program open(Opening opening) {
    SourceFile script = find(opening.directory(), opening.target());
    return PythonProgram.open(script, opening.galop());
  }
}
