package io.galop.extend.groovy;

import io.galop.extend.ClassProgram;
import io.galop.extend.GalopApi;
import io.galop.extend.HostedFactory;
import io.galop.extend.Program;
import io.galop.extend.ProgramException;
import io.galop.groovy.GroovyClasses;
import io.galop.groovy.NotGroovy;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import java.util.Map;

/** Verticles in Groovy. Loops and functions look whether they are to end. */
public final class GroovyVerticleFactory extends HostedFactory {
  @Override
  public String prefix() {
    return "groovy";
  }

  @Override
  protected void check(String target, String directory) {
    compile(find(directory, target));
  }

  @Override
  protected Program open(Opening opening) {
    SourceFile script = find(opening.directory(), opening.target());
    GroovyClasses classes = compile(script);
    GalopApi galop = opening.galop();
    Map<String, Object> variables = Map.of("galop", galop, "vertx", galop.getVertx());
    return new ClassProgram(script.name(), classes.main(), () -> classes.run(variables), classes);
  }

  private static GroovyClasses compile(SourceFile script) {
    try {
      return GroovyClasses.of(script.name(), script.text());
    } catch (NotGroovy e) {
      throw new ProgramException(ErrorText.of(e));
    }
  }
}
