package io.galop.enrich.script.groovy;

import groovy.lang.GroovyClassLoader;
import groovy.lang.GroovyRuntimeException;
import groovy.lang.Script;
import groovy.transform.CompileStatic;
import groovy.transform.Field;
import groovy.transform.ThreadInterrupt;
import io.galop.config.ScriptConfig;
import io.galop.enrich.script.JvmScript;
import io.galop.enrich.script.LoadedScript;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptFile;
import io.galop.enrich.script.ScriptLanguage;
import io.galop.enrich.script.ScriptWatchdog;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.customizers.ASTTransformationCustomizer;
import org.codehaus.groovy.control.customizers.ImportCustomizer;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;

/** Scripts in Groovy. Loops and methods look whether the time is over. */
public final class GroovyScripts implements ScriptLanguage {
  @Override
  public String name() {
    return "Groovy";
  }

  @Override
  public String suffix() {
    return ".groovy";
  }

  @Override
  public LoadedScript load(ScriptFile file, ScriptConfig config, ScriptWatchdog watchdog)
      throws ScriptFailure {
    GroovyClassLoader loader =
        new GroovyClassLoader(GroovyScripts.class.getClassLoader(), compiler());
    Class<?> compiled = compile(loader, file);
    JvmScript loaded = new JvmScript(compiled, config, watchdog, loader::close);
    return loaded.start(
        () -> {
          Script script = (Script) compiled.getDeclaredConstructor().newInstance();
          script.run();
          return script;
        });
  }

  private static CompilerConfiguration compiler() {
    CompilerConfiguration compiler = new CompilerConfiguration();
    compiler.addCompilationCustomizers(
        new ASTTransformationCustomizer(ThreadInterrupt.class),
        new ImportCustomizer().addImports(Field.class.getName(), CompileStatic.class.getName()));
    return compiler;
  }

  private static Class<?> compile(GroovyClassLoader loader, ScriptFile file) throws ScriptFailure {
    try {
      return loader.parseClass(
          file.text(), "Script_" + file.name().replaceAll("\\W", "_") + ".groovy");
    } catch (MultipleCompilationErrorsException e) {
      throw new ScriptFailure(first(e, file.name()));
    } catch (GroovyRuntimeException e) {
      throw new ScriptFailure(String.valueOf(e.getMessage()));
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
