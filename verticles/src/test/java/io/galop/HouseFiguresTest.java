package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * How tangled the sources are. Each figure is printed, and none may grow: a limit here is what was
 * reached so far, and whoever makes the figure smaller makes the limit smaller with it. What they
 * are to become stands in {@code docs/development.md}.
 */
class HouseFiguresTest {
  private static final List<Path> PRODUCT =
      Stream.of(
              "../binder",
              ".",
              "../addons/python",
              "../addons/groovy",
              "../addons/kotlin",
              "../addons/kafka",
              "../addons/cassandra",
              "../addons/s3",
              "../addons/opentelemetry")
          .map(module -> Path.of(module, "src/main/java"))
          .toList();
  private static final List<Path> LOAD_TEST = List.of(Path.of("../loadtest/src/main/java"));
  private static final List<Path> CLIENT = List.of(Path.of("../clients/java/src/main/java"));

  /** Programs know its classes, by the names that they have in other languages' clients. */
  private static final String NAMED_FOR_PROGRAMS = "io.galop.client.";

  private static final int MOST_CLASSES_IN_A_KNOT = 3;
  private static final int MOST_KNOTS_ABOVE_THREE = 0;
  private static final int MOST_PACKAGES_IN_CYCLES = 0;
  private static final int MANY_REFERENCES = 15;
  private static final int MANY_REFERENCES_THAT_WIRE = 20;

  /** Classes that only put others together, and decide nothing. */
  private static final Map<String, String> WIRE =
      Map.ofEntries(
          Map.entry("io.galop.Stages", "what a node deploys, in its order"),
          Map.entry("io.galop.bus.Codecs", "each message of the bus with its codec"),
          Map.entry("io.galop.GalopNode", "a process: sockets, cluster, bus, stages"),
          Map.entry(
              "io.galop.cluster.ClusterStart",
              "Vert.x, Hazelcast and the listeners between members"),
          Map.entry(
              "io.galop.broadcast.LiveEndpoint",
              "browsers' sessions: SockJS, admission, feed, hub"),
          Map.entry("io.galop.config.GalopConfig", "the sections of the configuration"),
          Map.entry("io.galop.config.ingest.IngestConfig", "the sections of the doors"),
          Map.entry("io.galop.config.broadcast.BroadcastConfig", "the sections for viewers"),
          Map.entry("io.galop.enrich.Bricks", "each kind of step with its keys"),
          Map.entry("io.galop.persist.Sinks", "each store with its sink and its dead letters"),
          Map.entry(
              "io.galop.cli.replay.ReplayCommand", "a command's options, source, pace and door"),
          Map.entry("io.galop.loadtest.LoadTest", "the list of commands"),
          Map.entry("io.galop.loadtest.chaos.ChaosRun", "a run: nodes, faults, clients, verdict"));

  private static final int MOST_FILES_IN_A_PACKAGE = 40;
  private static final int MOST_DOUBLE_NAMES = 0;
  private static final int MOST_DOUBLE_NAMES_IN_ALL = 0;
  private static final int MOST_PACKAGES_WITH_INTERNALS = 1;

  /** JMH sets fields after the constructor. */
  private static final String WITHOUT_NULLAWAY = "benchmarks";

  /** What other versions of Vert.x and Netty may change without a word. */
  private static final List<String> INTERNALS =
      List.of(
          "io.vertx.core.internal.",
          "io.vertx.core.impl.",
          "io.vertx.core.http.impl.",
          "io.vertx.core.net.impl.",
          "io.netty.util.internal.");

  private final List<CompilationUnitTree> units = parse();
  private final SourceGraph graph = new SourceGraph(units);

  HouseFiguresTest() throws IOException {}

  @Test
  void knotsOfClassesDoNotGrow() {
    List<Set<String>> knots =
        SourceGraph.knots(graph.classes()).stream().filter(knot -> knot.size() > 3).toList();
    knots.forEach(knot -> System.out.println("house: knot of " + knot.size() + ": " + knot));
    int largest = knots.isEmpty() ? 0 : knots.get(0).size();
    atMost(MOST_CLASSES_IN_A_KNOT, largest, "classes in the largest knot");
    atMost(MOST_KNOTS_ABOVE_THREE, knots.size(), "knots of more than three classes");
  }

  @Test
  void cyclesOfPackagesDoNotGrow() {
    List<Set<String>> cycles = SourceGraph.knots(graph.packages());
    cycles.forEach(cycle -> System.out.println("house: cycle of packages " + cycle));
    int packages = cycles.stream().mapToInt(Set::size).sum();
    atMost(MOST_PACKAGES_IN_CYCLES, packages, "packages in cycles");
  }

  @Test
  void classesReferToFewOthers() {
    Map<String, Integer> many = new TreeMap<>();
    graph
        .classes()
        .forEach(
            (name, references) -> {
              if (references.size() > allowed(name)) {
                many.put(name, references.size());
              }
            });
    System.out.println("house: classes that refer to more than 15 others, wiring 20: " + many);
    assertTrue(graph.classes().keySet().containsAll(WIRE.keySet()), "" + WIRE.keySet());
    assertEquals(Map.of(), many, "classes that refer to too many others");
  }

  @Test
  void packagesAreNotCrowdedAndNamesNotUsedTwice() {
    Map<String, Integer> files = new TreeMap<>();
    graph.classes().keySet().forEach(name -> files.merge(SourceGraph.home(name), 1, Integer::sum));
    int most = files.values().stream().max(Integer::compare).orElse(0);
    atMost(MOST_FILES_IN_A_PACKAGE, most, "files in a package");

    List<String> own =
        graph.classes().keySet().stream()
            .filter(name -> !name.startsWith(NAMED_FOR_PROGRAMS))
            .toList();
    List<String> product = own.stream().filter(n -> !n.contains(".loadtest.")).toList();
    var doubles = SourceGraph.doubleNames(product);
    doubles.forEach(names -> System.out.println("house: one name, several classes: " + names));
    atMost(MOST_DOUBLE_NAMES, doubles.size(), "names of several classes of the product");

    var all = SourceGraph.doubleNames(own);
    atMost(MOST_DOUBLE_NAMES_IN_ALL, all.size(), "names of several classes, load test included");
  }

  @Test
  void internalsOfVertxAndNettyStayWhereTheyAre() {
    Set<String> packages = new TreeSet<>();
    for (CompilationUnitTree unit : units) {
      for (ImportTree one : unit.getImports()) {
        String name = one.getQualifiedIdentifier().toString();
        if (INTERNALS.stream().anyMatch(name::startsWith)) {
          packages.add(unit.getPackageName().toString());
        }
      }
    }
    System.out.println("house: packages that import internals: " + packages);
    atMost(MOST_PACKAGES_WITH_INTERNALS, packages.size(), "packages that import internals");
  }

  @Test
  void everyPackageSaysWhatLivesInIt() throws IOException {
    List<Path> silent = new ArrayList<>();
    for (Path source : javaFiles()) {
      Path home = source.getParent();
      if (!Files.exists(home.resolve("package-info.java")) && !silent.contains(home)) {
        silent.add(home);
      }
    }
    assertEquals(List.of(), silent, "packages without a package-info.java");
  }

  /** Of every module, also of one that is new and in no list here. */
  @Test
  void everyPackageSaysThatNullIsMarked() throws IOException {
    List<Path> roots = rootsWithNullAway();
    assertTrue(roots.size() > PRODUCT.size(), "" + roots);
    List<Path> unmarked = new ArrayList<>();
    for (Path source : javaFiles(roots)) {
      if (source.endsWith("package-info.java")
          && !Files.readString(source).contains("\n@NullMarked\n")) {
        unmarked.add(source);
      }
    }
    assertEquals(List.of(), unmarked, "packages whose package-info lacks @NullMarked");
  }

  private static List<Path> rootsWithNullAway() throws IOException {
    List<Path> roots = new ArrayList<>();
    for (Path parent : List.of(Path.of(".."), Path.of("../addons"), Path.of("../clients"))) {
      try (Stream<Path> modules = Files.list(parent)) {
        modules
            .filter(module -> !module.endsWith(WITHOUT_NULLAWAY))
            .map(module -> module.resolve("src/main/java"))
            .filter(Files::isDirectory)
            .forEach(roots::add);
      }
    }
    return roots;
  }

  /** The measure itself: a knot is found, a permits clause is no reference. */
  @Test
  void aKnotIsSeen() {
    Map<String, Set<String>> graph =
        Map.of("a", Set.of("b"), "b", Set.of("c", "d"), "c", Set.of("a"), "d", Set.of());
    assertEquals(List.of(Set.of("a", "b", "c")), SourceGraph.knots(graph));
    Map<String, Set<String>> eight =
        Map.of("a", Set.of("b"), "b", Set.of("a", "c"), "c", Set.of("d"), "d", Set.of("c"));
    assertEquals(2, SourceGraph.knots(eight).size());
  }

  private static int allowed(String name) {
    return WIRE.containsKey(name) ? MANY_REFERENCES_THAT_WIRE : MANY_REFERENCES;
  }

  private static void atMost(int limit, int found, String what) {
    System.out.println("house: " + found + " " + what + ", at most " + limit);
    assertTrue(found <= limit, () -> found + " " + what + ", were " + limit);
  }

  private static List<CompilationUnitTree> parse() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(javaFiles()));
      List<CompilationUnitTree> units = new ArrayList<>();
      task.parse().forEach(units::add);
      return units;
    }
  }

  private static List<Path> javaFiles() throws IOException {
    return javaFiles(Stream.of(PRODUCT, LOAD_TEST, CLIENT).flatMap(List::stream).toList());
  }

  private static List<Path> javaFiles(List<Path> roots) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
      }
    }
    return found;
  }
}
