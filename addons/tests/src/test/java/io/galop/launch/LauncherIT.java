package io.galop.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code ./galop} in a checkout where nothing is built yet. */
@Timeout(600)
class LauncherIT {
  private static final Path ROOT = Path.of(System.getProperty("galop.root", "../.."));
  private static final Set<String> NOT_SOURCES = Set.of("target", "node_modules", ".git", "data");
  @TempDir Path checkout;

  private void copySources() throws IOException {
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            if (!from.equals(ROOT) && NOT_SOURCES.contains(from.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(checkout.resolve(ROOT.relativize(from).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              Files.copy(from, checkout.resolve(ROOT.relativize(from).toString()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private String galop(String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of("./galop"));
    Collections.addAll(command, args);
    Process process =
        new ProcessBuilder(command).directory(checkout.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), out);
    return out;
  }

  /** A command in a shell without a locale, where d is a directory whose name has an \u00e4. */
  private String inNoLocale(String arguments) throws Exception {
    String line =
        "d=d$(printf '\\303\\244'); mkdir -p $d; echo '{}' > $d/c.yaml; ./galop " + arguments;
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", line).directory(checkout.toFile());
    Set.of("LC_ALL", "LC_CTYPE", "LANG").forEach(shell.environment()::remove);
    Process process = shell.redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }

  private static boolean isThere(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  @Test
  void anAddOnIsBuiltAgainWithTheJarAndNeitherIsChangedUnderThoseWhoHaveItOpen() throws Exception {
    assumeTrue(isThere("mvn") && isThere("bash"), "needs Maven (mvn) and bash on the path");
    copySources();
    galop("add", "groovy");
    assertEquals("OK", inNoLocale("check \"$d/c.yaml\"").substring(0, 2));
    Path jar = checkout.resolve("verticles/target/galop.jar");
    Path addOn = checkout.resolve("verticles/target/lib/galop-groovy.jar");
    Path oldJar = Files.createLink(checkout.resolve("old.jar"), jar);
    Path oldAddOn = Files.createLink(checkout.resolve("old-groovy.jar"), addOn);

    Path source = checkout.resolve("cluster.xml");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now()));
    String tested = galop("script", "test", "betfair.groovy");
    assertTrue(tested.contains("building galop.jar and the add-on: groovy"), tested);
    assertTrue(tested.matches("(?s).*betfair\\.groovy: [1-9]\\d* passed, 0 failed\\s*"), tested);
    assertFalse(Files.isSameFile(oldJar, jar), "galop.jar was written in place");
    assertFalse(Files.isSameFile(oldAddOn, addOn), "galop-groovy.jar was written in place");
    for (Path built : List.of(jar, addOn)) {
      assertTrue(
          Files.getLastModifiedTime(built).compareTo(Files.getLastModifiedTime(source)) >= 0);
    }
  }
}
