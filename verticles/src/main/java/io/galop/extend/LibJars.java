package io.galop.extend;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The jars that a user has put into {@code lib}: beside galop.jar, or in the working directory. */
final class LibJars {
  private static final String DIRECTORY = "lib";

  private final List<Path> jars;
  private final ClassLoader loader;

  private LibJars(List<Path> jars) {
    this.jars = List.copyOf(jars);
    ClassLoader parent = LibJars.class.getClassLoader();
    this.loader = jars.isEmpty() ? parent : new URLClassLoader("lib", urls(jars), parent);
  }

  private static final class Shared {
    static final LibJars JARS = in(places());
  }

  /** Those of this process; looked for once. */
  static LibJars shared() {
    return Shared.JARS;
  }

  /** The jars in some directories, by name; one that is not there holds none. */
  static LibJars in(Set<Path> directories) {
    List<Path> jars = new ArrayList<>();
    for (Path directory : directories) {
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.list(directory)) {
          files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
        } catch (IOException e) {
          throw new ProgramException(directory + " cannot be read: " + e);
        }
      }
    }
    return new LibJars(jars);
  }

  private static Set<Path> places() {
    Set<Path> places = new LinkedHashSet<>();
    CodeSource source = LibJars.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = source == null ? Path.of("") : Path.of(source.getLocation().toURI());
      if (jar.toString().endsWith(".jar")) {
        places.add(jar.resolveSibling(DIRECTORY).toAbsolutePath().normalize());
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    places.add(Path.of(DIRECTORY).toAbsolutePath().normalize());
    return places;
  }

  private static URL[] urls(List<Path> jars) {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = jars.get(i).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalStateException(e);
      }
    }
    return urls;
  }

  /** Loads classes of the program and of these jars. */
  ClassLoader loader() {
    return loader;
  }

  /** Where a class was looked for, for a message. */
  String described() {
    return jars.isEmpty()
        ? "there is no jar in "
            + String.join(" or ", places().stream().map(Path::toString).toList())
        : "looked for in " + String.join(", ", jars.stream().map(Path::toString).toList());
  }
}
