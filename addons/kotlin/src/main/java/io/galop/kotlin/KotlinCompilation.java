package io.galop.kotlin;

import io.galop.scratch.ProcessDirectory;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.common.arguments.K2JVMCompilerArguments;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.jetbrains.kotlin.config.Services;

/** Compiles a file, in a directory that is gone afterwards; the last ones are kept. */
public final class KotlinCompilation {
  private static final int MOST_KEPT = 32;

  /** Looking at a file, starting it and each further instance are to cost one compilation. */
  private static final Map<Source, Map<String, byte[]>> COMPILED = new LinkedHashMap<>();

  private static final String NAME = "@file:JvmName(\"" + KotlinClasses.MAIN + "\") ";

  private final Source source;
  private final FirstError error;

  private record Source(String file, String text, List<Class<?>> known) {}

  private KotlinCompilation(Source source) {
    this.source = source;
    this.error = new FirstError(source.file());
  }

  /**
   * Compiles a file.
   *
   * @param file for messages
   * @param before Kotlin that stands before the first line, on that line, so that the numbers of
   *     the lines stay
   * @param known it may use these classes and what comes with them, beside the library of Kotlin
   * @return the classes by their names
   * @throws NotKotlin with the first error and its line
   */
  public static Map<String, byte[]> of(
      String file, String before, String text, List<Class<?>> known) throws NotKotlin {
    Source source = new Source(file, NAME + before + text, known);
    synchronized (COMPILED) {
      Map<String, byte[]> classes = COMPILED.get(source);
      if (classes == null) {
        classes = new KotlinCompilation(source).run();
        COMPILED.put(source, classes);
        if (COMPILED.size() > MOST_KEPT) {
          COMPILED.remove(COMPILED.keySet().iterator().next());
        }
      }
      return classes;
    }
  }

  private Map<String, byte[]> run() throws NotKotlin {
    try {
      Path directory = ProcessDirectory.newDirectory("kotlin-");
      try {
        return run(directory);
      } finally {
        ProcessDirectory.delete(directory);
      }
    } catch (IOException e) {
      throw new NotKotlin("the compiler has no directory to work in: " + e);
    }
  }

  private Map<String, byte[]> run(Path directory) throws IOException, NotKotlin {
    Path file = Files.writeString(directory.resolve("script.kt"), source.text());
    Path classes = Files.createDirectory(directory.resolve("classes"));
    ExitCode code = new K2JVMCompiler().exec(error, Services.EMPTY, arguments(file, classes));
    if (code != ExitCode.OK) {
      throw new NotKotlin(error.said());
    }
    return read(classes);
  }

  private K2JVMCompilerArguments arguments(Path file, Path classes) {
    K2JVMCompilerArguments arguments = new K2JVMCompilerArguments();
    arguments.setFreeArgs(List.of(file.toString()));
    arguments.setDestination(classes.toString());
    arguments.setClasspath(
        Stream.concat(source.known().stream(), Stream.of(kotlin.Unit.class))
            .map(type -> place(type).toString())
            .distinct()
            .collect(Collectors.joining(File.pathSeparator)));
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
}
