package io.galop.groovy;

import groovy.lang.Binding;
import groovy.lang.GroovyClassLoader;
import groovy.lang.GroovyRuntimeException;
import groovy.lang.Script;
import groovy.transform.CompileStatic;
import groovy.transform.Field;
import groovy.transform.ThreadInterrupt;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.customizers.ASTTransformationCustomizer;
import org.codehaus.groovy.control.customizers.ImportCustomizer;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;

/** The classes of one compiled file. Loops and functions look whether their time is over. */
public final class GroovyClasses implements Closeable {
  private final GroovyClassLoader loader;
  private final Class<?> main;

  private GroovyClasses(GroovyClassLoader loader, Class<?> main) {
    this.loader = loader;
    this.main = main;
  }

  /**
   * Compiles a file.
   *
   * @param file for messages
   * @throws NotGroovy with the first error and its line
   */
  public static GroovyClasses of(String file, String text) throws NotGroovy {
    GroovyClassLoader loader =
        new GroovyClassLoader(GroovyClasses.class.getClassLoader(), compiler());
    try {
      String name = "Script_" + file.replaceAll("\\W", "_") + ".groovy";
      return new GroovyClasses(loader, loader.parseClass(text, name));
    } catch (MultipleCompilationErrorsException e) {
      throw new NotGroovy(first(e, file));
    } catch (GroovyRuntimeException e) {
      throw new NotGroovy(String.valueOf(e.getMessage()));
    }
  }

  private static CompilerConfiguration compiler() {
    CompilerConfiguration compiler = new CompilerConfiguration();
    compiler.addCompilationCustomizers(
        new ASTTransformationCustomizer(ThreadInterrupt.class),
        new ImportCustomizer().addImports(Field.class.getName(), CompileStatic.class.getName()));
    return compiler;
  }

  private static String first(MultipleCompilationErrorsException e, String file) {
    if (e.getErrorCollector().getError(0) instanceof SyntaxErrorMessage error) {
      String message = error.getCause().getOriginalMessage().lines().findFirst().orElse("");
      return message + " (" + file + ", line " + error.getCause().getLine() + ")";
    }
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** The class whose methods are the functions of the file. */
  public Class<?> main() {
    return main;
  }

  /**
   * Runs what stands outside of functions.
   *
   * @param variables what the file can use by name
   * @return what its functions are called on
   */
  public Object run(Map<String, Object> variables) throws Exception {
    Script script = (Script) main.getDeclaredConstructor().newInstance();
    Binding binding = new Binding();
    variables.forEach(binding::setVariable);
    script.setBinding(binding);
    script.run();
    return script;
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
