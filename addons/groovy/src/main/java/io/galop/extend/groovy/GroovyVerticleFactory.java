package io.galop.extend.groovy;

import groovy.lang.Binding;
import groovy.lang.GroovyClassLoader;
import groovy.lang.GroovyRuntimeException;
import groovy.lang.Script;
import groovy.transform.CompileStatic;
import groovy.transform.Field;
import groovy.transform.ThreadInterrupt;
import io.galop.extend.ClassProgram;
import io.galop.extend.GalopApi;
import io.galop.extend.HostedFactory;
import io.galop.extend.Program;
import io.galop.extend.ProgramException;
import io.galop.extend.ScriptText;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.customizers.ASTTransformationCustomizer;
import org.codehaus.groovy.control.customizers.ImportCustomizer;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;

/** Verticles in Groovy. Loops and functions look whether they are to end. */
public final class GroovyVerticleFactory extends HostedFactory {
  @Override
  public String prefix() {
    return "groovy";
  }

  @Override
  protected void check(String target, String directory) {
    compile(loader(), ScriptText.find(directory, target));
  }

  @Override
  protected Program open(Opening opening) {
    ScriptText script = ScriptText.find(opening.directory(), opening.target());
    GroovyClassLoader loader = loader();
    Class<?> compiled = compile(loader, script);
    return new ClassProgram(script.name(), compiled, () -> run(compiled, opening.galop()), loader);
  }

  private static Object run(Class<?> compiled, GalopApi galop) throws Exception {
    Script script = (Script) compiled.getDeclaredConstructor().newInstance();
    Binding binding = new Binding();
    binding.setVariable("galop", galop);
    binding.setVariable("vertx", galop.getVertx());
    script.setBinding(binding);
    script.run();
    return script;
  }

  private static GroovyClassLoader loader() {
    CompilerConfiguration compiler = new CompilerConfiguration();
    compiler.addCompilationCustomizers(
        new ASTTransformationCustomizer(ThreadInterrupt.class),
        new ImportCustomizer().addImports(Field.class.getName(), CompileStatic.class.getName()));
    return new GroovyClassLoader(GroovyVerticleFactory.class.getClassLoader(), compiler);
  }

  private static Class<?> compile(GroovyClassLoader loader, ScriptText script) {
    try {
      String name = "Verticle_" + script.name().replaceAll("\\W", "_") + ".groovy";
      return loader.parseClass(script.text(), name);
    } catch (MultipleCompilationErrorsException e) {
      throw new ProgramException(first(e, script.name()));
    } catch (GroovyRuntimeException e) {
      throw new ProgramException(String.valueOf(e.getMessage()));
    }
  }

  private static String first(MultipleCompilationErrorsException e, String file) {
    if (e.getErrorCollector().getError(0) instanceof SyntaxErrorMessage error) {
      String message = error.getCause().getOriginalMessage().lines().findFirst().orElse("");
      return message + " (" + file + ", line " + error.getCause().getLine() + ")";
    }
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
