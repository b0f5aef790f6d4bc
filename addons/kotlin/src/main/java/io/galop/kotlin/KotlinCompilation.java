package io.galop.kotlin;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.common.arguments.K2JVMCompilerArguments;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.jetbrains.kotlin.config.Services;

/** Compiles a file, in a directory that is gone afterwards. */
public final class KotlinCompilation {
  private static final String NAME = "@file:JvmName(\"" + KotlinClasses.MAIN + "\") ";

  private final String text;
  private final List<Class<?>> known;
  private final FirstError error;

  private KotlinCompilation(String file, String text, List<Class<?>> known) {
    this.text = text;
    this.known = known;
    this.error = new FirstError(file);
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
    return new KotlinCompilation(file, NAME + before + text, known).run();
  }

  private Map<String, byte[]> run() throws NotKotlin {
    try {
      Path directory = Files.createTempDirectory("galop-kotlin-");
      try {
        return run(directory);
      } finally {
        delete(directory);
      }
    } catch (IOException e) {
      throw new NotKotlin("the compiler has no directory to work in: " + e);
    }
  }

  private Map<String, byte[]> run(Path directory) throws IOException, NotKotlin {
    Path source = Files.writeString(directory.resolve("script.kt"), text);
    Path classes = Files.createDirectory(directory.resolve("classes"));
    ExitCode code = new K2JVMCompiler().exec(error, Services.EMPTY, arguments(source, classes));
    if (code != ExitCode.OK) {
      throw new NotKotlin(error.said());
    }
    return read(classes);
  }

  private K2JVMCompilerArguments arguments(Path source, Path classes) {
    K2JVMCompilerArguments arguments = new K2JVMCompilerArguments();
    arguments.setFreeArgs(List.of(source.toString()));
    arguments.setDestination(classes.toString());
    arguments.setClasspath(
        Stream.concat(known.stream(), Stream.of(kotlin.Unit.class))
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

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path one : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }
}
