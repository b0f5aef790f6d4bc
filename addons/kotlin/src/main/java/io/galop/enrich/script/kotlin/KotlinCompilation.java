package io.galop.enrich.script.kotlin;

import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptFile;
import io.galop.enrich.script.ScriptRecord;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.common.arguments.K2JVMCompilerArguments;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.jetbrains.kotlin.config.Services;

/** Compiles a file, in a directory that is gone afterwards. */
final class KotlinCompilation {
  /** Stands before the first line, on that line, so that the numbers of the lines stay. */
  private static final String BEFORE =
      "@file:JvmName(\"" + KotlinClasses.MAIN + "\") import " + ScriptRecord.class.getName() + "; ";

  private final ScriptFile file;
  private final FirstError error;

  KotlinCompilation(ScriptFile file) {
    this.file = file;
    this.error = new FirstError(file.name());
  }

  /**
   * The classes by their names.
   *
   * @throws ScriptFailure with the first error and its line
   */
  Map<String, byte[]> run() throws ScriptFailure {
    try {
      Path directory = Files.createTempDirectory("galop-kotlin-");
      try {
        return run(directory);
      } finally {
        delete(directory);
      }
    } catch (IOException e) {
      throw new ScriptFailure("the compiler has no directory to work in: " + e);
    }
  }

  private Map<String, byte[]> run(Path directory) throws IOException, ScriptFailure {
    Path source = Files.writeString(directory.resolve("script.kt"), BEFORE + file.text());
    Path classes = Files.createDirectory(directory.resolve("classes"));
    ExitCode code = new K2JVMCompiler().exec(error, Services.EMPTY, arguments(source, classes));
    if (code != ExitCode.OK) {
      throw new ScriptFailure(error.said());
    }
    return read(classes);
  }

  private static K2JVMCompilerArguments arguments(Path source, Path classes) {
    K2JVMCompilerArguments arguments = new K2JVMCompilerArguments();
    arguments.setFreeArgs(List.of(source.toString()));
    arguments.setDestination(classes.toString());
    arguments.setClasspath(
        place(ScriptRecord.class) + File.pathSeparator + place(kotlin.Unit.class));
    arguments.setNoStdlib(true);
    arguments.setNoReflect(true);
    arguments.setModuleName("galop");
    arguments.setJvmTarget("17");
    return arguments;
  }

  private static Path place(Class<?> of) {
    try {
      return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, byte[]> read(Path classes) throws IOException {
    Map<String, byte[]> read = new HashMap<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path one : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = classes.relativize(one).toString().replace(File.separatorChar, '.');
        read.put(name.substring(0, name.length() - ".class".length()), Files.readAllBytes(one));
      }
    }
    return Map.copyOf(read);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path one : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }
}
