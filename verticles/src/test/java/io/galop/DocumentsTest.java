package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents say of one another, of the tests and of the dependencies is so. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCS = ROOT.resolve("docs");
  private static final List<String> MODULES =
      List.of(
          "binder",
          "clients/java",
          "verticles",
          "loadtest",
          "benchmarks",
          "ie8",
          "addons/python",
          "addons/groovy",
          "addons/kotlin",
          "addons/kafka",
          "addons/cassandra",
          "addons/s3",
          "addons/opentelemetry",
          "addons/tests");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern ARTIFACT =
      Pattern.compile("(?s)<dependency>.*?<artifactId>([^<]*)</artifactId>");
  private static final Pattern NPM = Pattern.compile("(?m)^    \"([@\\w][^\"]*)\": \"\\d[^\"]*\"");
  private static final Pattern FIRST_WORD_OF_ROW = Pattern.compile("(?m)^\\| ([\\w@./-]+)");
  private static final Pattern NAMED_KEY =
      Pattern.compile(
          "(?<![\\w./-])(?:node|cluster|http|management|ingest|enrich|persist|broadcast)"
              + "(?:\\.[a-zA-Z]+)+");

  /** A test in back quotes, or one that a command of Maven runs. */
  private static final Pattern NAMED_TEST =
      Pattern.compile("`(\\w+\\*?\\w*(?:Test|IT))`|-D(?:it\\.)?test=(\\w+(?:Test|IT))");

  /** A longer row is a paragraph in disguise. */
  private static final int MOST_LETTERS_IN_A_ROW = 300;

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      for (MatchResult link : LINK.matcher(Files.readString(document)).results().toList()) {
        String path = link.group(1);
        Path target = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        boolean isThere = Files.exists(target);
        if (!isThere || link.group(2) != null && !anchors(target).contains(link.group(2))) {
          broken.add(ROOT.relativize(document) + ": " + link.group());
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")) {
      documents.add(ROOT.resolve(name));
    }
    try (Stream<Path> files = Files.walk(DOCS)) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    assertTrue(documents.size() > 10, "the documents are not where they were");
    return documents;
  }

  private static Set<String> anchors(Path document) throws IOException {
    return HEADING
        .matcher(Files.readString(document))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(text -> text.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void decisionsAreNumberedAndHaveTheirParts() throws IOException {
    List<Path> decisions;
    try (Stream<Path> files = Files.list(DOCS.resolve("decisions"))) {
      decisions = files.sorted().toList();
    }
    for (int i = 0; i < decisions.size(); i++) {
      String text = Files.readString(decisions.get(i));
      String file = decisions.get(i).getFileName().toString();
      assertTrue(file.startsWith("%04d-".formatted(i + 1)), file);
      assertTrue(text.startsWith("# " + (i + 1) + ". "), file);
      for (String part : List.of("## Context", "## Options", "## Choice")) {
        assertTrue(text.contains("\n" + part + "\n"), file + " has no " + part);
      }
    }
  }

  @Test
  void everyDependencyHasItsLineAndEveryLineItsDependency() throws IOException {
    String list = Files.readString(DOCS.resolve("dependencies.md"));
    String used = "";
    Set<String> names = new TreeSet<>();
    for (String module : MODULES) {
      String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
      ARTIFACT.matcher(pom).results().forEach(each -> names.add(each.group(1)));
      used += pom;
    }
    for (String scripts : List.of("verticles/src/test/node", "loadtest/peers/node", "clients/js")) {
      String packages = Files.readString(ROOT.resolve(scripts).resolve("package.json"));
      NPM.matcher(packages).results().forEach(each -> names.add(each.group(1)));
      used += packages;
    }
    assertTrue(names.contains("vertx-core") && names.contains("acorn"), "" + names);
    assertEquals(List.of(), names.stream().filter(name -> !list.contains(name)).toList());
    String all = used;
    List<String> gone =
        FIRST_WORD_OF_ROW
            .matcher(list)
            .results()
            .map(row -> row.group(1))
            .filter(name -> !name.equals("dependency") && !all.contains(name))
            .toList();
    assertEquals(List.of(), gone);
  }

  @Test
  void everyKeyThatIsNamedIsThere() throws IOException {
    Set<String> keys = keys();
    Path packages = ROOT.resolve("verticles/src/main/java/io/galop");
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      for (MatchResult named : NAMED_KEY.matcher(Files.readString(document)).results().toList()) {
        String key = named.group();
        boolean isOther = key.endsWith(".xml") || key.endsWith(".md");
        boolean isPackage = Files.isDirectory(packages.resolve(key.replace('.', '/')));
        if (!isOther && !isPackage && !keys.contains(key)) {
          unknown.add(ROOT.relativize(document) + ": " + key);
        }
      }
    }
    assertEquals(List.of(), unknown);
  }

  /** Sections and keys of docs/configuration.md, which ConfigDocTest holds to the code. */
  private static Set<String> keys() throws IOException {
    Set<String> keys = new TreeSet<>();
    String section = "";
    for (String line : Files.readAllLines(DOCS.resolve("configuration.md"))) {
      if (line.startsWith("##")) {
        section = line.replaceFirst("#+ ", "").replace("[]", "").replace(": ", ".");
        keys.add(section);
      } else if (line.startsWith("* **`") || line.startsWith("* [`")) {
        keys.add(section + "." + line.split("`")[1]);
      }
    }
    assertTrue(keys.contains("http.port"), "" + keys);
    return keys;
  }

  @Test
  void everyTestThatIsNamedIsThere() throws IOException {
    Set<String> tests = new TreeSet<>();
    for (String module : List.of("verticles", "loadtest", "ie8", "addons/tests")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        files.forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    List<String> gone = new ArrayList<>();
    for (Path document : documents()) {
      for (MatchResult named : NAMED_TEST.matcher(Files.readString(document)).results().toList()) {
        String name = named.group(1) != null ? named.group(1) : named.group(2);
        if (tests.stream().noneMatch(test -> test.matches(name.replace("*", ".*")))) {
          gone.add(ROOT.relativize(document) + ": " + name);
        }
      }
    }
    assertEquals(List.of(), gone);
  }

  @Test
  void tablesHaveEqualRowsThatCanBeRead() throws IOException {
    List<String> bad = new ArrayList<>();
    for (Path document : documents()) {
      boolean isCode = false;
      int cells = 0;
      for (String line : Files.readAllLines(document)) {
        isCode ^= line.startsWith("```");
        int found = isCode || !line.startsWith("|") ? 0 : line.split("(?<!\\\\)\\|", -1).length;
        boolean isUneven = found > 0 && cells > 0 && found != cells;
        if (isUneven || found > 0 && line.length() > MOST_LETTERS_IN_A_ROW) {
          bad.add(ROOT.relativize(document) + ": " + line);
        }
        cells = found;
      }
    }
    assertEquals(List.of(), bad);
  }

  /** A merge that takes both sides' lines leaves twice what both have touched. */
  @Test
  void noRowOrItemIsThereTwiceInASection() throws IOException {
    List<String> twice = new ArrayList<>();
    for (Path document : documents()) {
      boolean isOfTests = document.endsWith("testing.md");
      boolean isGenerated = document.endsWith("configuration.md");
      List<String> lines = isGenerated ? List.of() : Files.readAllLines(document);
      doubles(lines, isOfTests).forEach(row -> twice.add(ROOT.relativize(document) + ": " + row));
    }
    assertEquals(List.of(), twice);
  }

  @Test
  void aDoubleRowIsSeen() {
    List<String> lines =
        List.of("| a | b |", "|---|---|", "| 1 | 2 |", "| | 3 |", "", "| a | b |", "|---|---|");
    assertEquals(List.of(), doubles(lines, false), "heads, and what goes on with a row above");
    List<String> merged = new ArrayList<>(lines);
    merged.addAll(
        List.of(
            "| | 3 |", "| 4 | 5 |", "| 1 | 2 |", "* a", "* b", "* a", "```", "| 4 | 5 |", "```"));
    assertEquals(List.of("| 1 | 2 |", "* a"), doubles(merged, false));
    lines = List.of("| a | b |", "|---|---|", "| 1 | 2 |", "| 1 | 3 |");
    assertEquals(List.of("| 1 | 3 |"), doubles(lines, true), "both sides' own version");
  }

  private static List<String> doubles(List<String> lines, boolean byFirstCell) {
    Set<String> rows = new TreeSet<>();
    List<String> twice = new ArrayList<>();
    boolean isCode = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      isCode ^= line.startsWith("```");
      if (line.startsWith("#") && !isCode) {
        rows.clear();
      }
      boolean isHead = i + 1 < lines.size() && lines.get(i + 1).startsWith("|--");
      boolean isRow = line.startsWith("|") && !line.startsWith("|--") && !line.startsWith("| |");
      String key = isRow && byFirstCell ? line.split("\\|")[1] : line;
      boolean isOne = isRow && !isHead || line.startsWith("* ");
      if (isOne && !isCode && !rows.add(key)) {
        twice.add(line);
      }
    }
    return twice;
  }
}
