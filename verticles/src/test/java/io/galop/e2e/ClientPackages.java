package io.galop.e2e;

import com.fasterxml.jackson.core.JsonFactory;
import io.galop.client.GalopClient;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The clients, packed as they are given away and installed from that into a directory. */
final class ClientPackages {
  private static final Path CLIENTS =
      Path.of(System.getProperty("galop.root"), "clients").toAbsolutePath().normalize();
  private static final Path JS = CLIENTS.resolve("js");
  private static final Path PYTHON = CLIENTS.resolve("python");
  private static final Path JAVA = CLIENTS.resolve("java");
  private static final int MOST_SECONDS = 300;

  private ClientPackages() {}

  /** Packs the JavaScript client, and installs the tarball into {@code app}. */
  static Path npm(Path app) throws Exception {
    Files.createDirectories(app);
    run(JS, "npm", "pack", "--silent", "--pack-destination", app.toString());
    Path tarball;
    try (Stream<Path> files = Files.list(app)) {
      tarball = files.filter(file -> file.toString().endsWith(".tgz")).findFirst().orElseThrow();
    }
    Files.writeString(app.resolve("package.json"), "{\"private\":true,\"type\":\"module\"}");
    List<String> install = List.of("npm", "install", "--offline", "--no-audit", "--no-fund");
    run(app, Stream.concat(install.stream(), Stream.of(tarball.toString())).toArray(String[]::new));
    // What a user installs beside it; ./test has done so by the lock file.
    for (String tool : List.of("ws", "typescript", "vite")) {
      Path from = JS.resolve("node_modules").resolve(tool);
      Files.createSymbolicLink(app.resolve("node_modules").resolve(tool), from);
    }
    return app;
  }

  /** A program of the package's tests, beside what is installed. */
  static Path copy(Path app, String file) throws IOException {
    Path to = app.resolve(Path.of(file).getFileName());
    return Files.copy(JS.resolve(file), to);
  }

  static Path example(String file) {
    return JS.resolve("examples").resolve(file);
  }

  /** Builds the Python client's wheel and installs it; the interpreter that then has it. */
  static Path pip(Path directory) throws Exception {
    Path python = PYTHON.resolve(".venv/bin/python").toAbsolutePath();
    Path wheels = directory.resolve("wheels");
    run(
        PYTHON,
        python.toString(),
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        wheels.toString(),
        ".");
    Path wheel;
    try (Stream<Path> files = Files.list(wheels)) {
      wheel = files.findFirst().orElseThrow();
    }
    run(
        PYTHON,
        python.toString(),
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--target",
        directory.resolve("site").toString(),
        wheel.toString());
    return python;
  }

  static Path python(String file) {
    return PYTHON.resolve(file);
  }

  /** Runs the tests of their own that the two scripted clients have, as they are built. */
  static void test(Path directory) throws Exception {
    run(JS, "node", "--test", "test/tabs.test.mjs", "test/token.test.mjs");
    String path = "PYTHONPATH=" + directory.resolve("site");
    String python = PYTHON.resolve(".venv/bin/python").toString();
    run(PYTHON, "env", path, python, "test/renewal.py");
  }

  /** What programs on the Java client need, which is all that its signature may name. */
  static String javaClassPath() {
    return Stream.of(GalopClient.class, JsonFactory.class)
        .map(of -> of.getProtectionDomain().getCodeSource().getLocation())
        .map(at -> Path.of(URI.create(at.toString())).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Compiles the Java client's program of the test on its jar; the class path that then has it. */
  static String java(Path classes) throws Exception {
    Path program = JAVA.resolve("src/test/java/io/galop/conform/Conform.java");
    String compiler = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
    String path = javaClassPath();
    run(JAVA, compiler, "-proc:none", "-cp", path, "-d", classes.toString(), program.toString());
    return classes + File.pathSeparator + path;
  }

  static Path javaExample(String file) {
    return JAVA.resolve("examples").resolve(file);
  }

  /** Runs a command to its end; what it printed. Fails unless it ends well. */
  static String run(Path directory, String... command) throws Exception {
    Path output = Files.createTempFile("galop-client", ".log");
    Process process =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean isOver = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
    String printed = Files.readString(output);
    Files.delete(output);
    if (!isOver || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new AssertionError(String.join(" ", command) + " failed:\n" + printed);
    }
    return printed;
  }
}
