package io.galop.extend.kotlin;

import io.galop.extend.ClassProgram;
import io.galop.extend.GalopApi;
import io.galop.extend.Handed;
import io.galop.extend.HostedFactory;
import io.galop.extend.Program;
import io.galop.extend.ProgramException;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import io.galop.kotlin.KotlinClasses;
import io.galop.kotlin.KotlinCompilation;
import io.galop.kotlin.NotKotlin;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Verticles in Kotlin: a file of functions and variables. Loops and functions look whether they are
 * to end.
 */
public final class KotlinVerticleFactory extends HostedFactory {
  /** Stands before the first line, on that line. */
  private static final String BEFORE =
      "import io.galop.extend.*; private val galop: GalopApi = "
          + Handed.class.getName()
          + ".galop(); private val vertx = galop.vertx; ";

  private static final List<Class<?>> KNOWN = List.of(GalopApi.class, Vertx.class, Logger.class);

  @Override
  public String prefix() {
    return "kt";
  }

  @Override
  protected void check(String target, String directory) {
    compiled(find(directory, target));
  }

  @Override
  protected Program open(Opening opening) {
    SourceFile script = find(opening.directory(), opening.target());
    KotlinClasses classes =
        new KotlinClasses(compiled(script), KotlinVerticleFactory.class.getClassLoader());
    Class<?> main = classes.main();
    return new ClassProgram(
        script.name(), main, () -> initialise(classes, main, opening.galop()), () -> {});
  }

  private static @Nullable Object initialise(KotlinClasses classes, Class<?> main, GalopApi galop)
      throws Exception {
    Handed.begin(galop);
    try {
      return classes.initialise(main);
    } finally {
      Handed.end();
    }
  }

  private static Map<String, byte[]> compiled(SourceFile script) {
    try {
      return KotlinCompilation.of(script.name(), BEFORE, script.text(), KNOWN);
    } catch (NotKotlin e) {
      throw new ProgramException(ErrorText.of(e));
    }
  }
}
