package io.galop.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A promise that is broken, and the statements that break it. */
public enum Mutant {
  /** Acknowledged data stays in memory for two seconds, as in a page cache before a power cut. */
  NO_FSYNC(acknowledgedAtOnce(), writtenAfterMs(2_000)),
  /** Acknowledged before it is written, to a disk that is slow enough to notice. */
  EARLY_ACK(acknowledgedAtOnce(), writtenAfterMs(250)),
  /** The Log is written, and never forced to disk. */
  UNFORCED(
      new Change(
          "persist/log/SegmentWriter",
          "force();\n    active.endsAt(written);",
          "active.endsAt(written);")),
  /** The owner of a shard does not know an id again. */
  NO_DEDUP(
      new Change(
          "persist/ram/ShardMemory",
          "boolean known = !ids.add(records.get(i));",
          "ids.add(records.get(i)); boolean known = false;")),
  /** A start takes what it finds in a segment that could not be sealed as it is. */
  NO_REWRITE(new Change("persist/log/SegmentRecovery", "rewrite(scan.size());", "")),
  /** A sink's cursor passes what its store, slow enough to notice, has not answered for. */
  EARLY_CURSOR(
      new Change(
          "persist/sink/SinkRun",
          "StoreBatch parcel =",
          "batch.forEach(kept -> kept.settle()); tick(); sink.isStopped(1_000);"
              + " StoreBatch parcel ="),
      new Change("persist/sink/Settlement", "outcome.batch().forEach(Kept::settle);", "")),
  /** A broadcast node does not show one record in so many. */
  SKIPPED_RECORD(
      new Change(
          "broadcast/feed/ShardView",
          "entries.add(entry);",
          "if (position.offset() % 1000 != 7) entries.add(entry);")),
  /** A sink takes a batch for stored that its store was never given. */
  SWALLOWED_BATCH(
      new Change(
          "persist/sink/SinkRun",
          "flight.begin(batch, parcel, setup.store().write(parcel));",
          "if (batch.get(0).placed().position().offset() < 5) {"
              + " flight.begin(batch, parcel, setup.store().write(parcel)); }"
              + " else { batch.forEach(Kept::settle); }")),
  /** A door sends a record on twice. */
  DOUBLED_AT_DOOR(
      new Change(
          "ingest/intake/Submission",
          "intake.add(this, record, shard, line);",
          "intake.add(this, record, shard, line);"
              + " if (line % 100 == 7) intake.add(this, record, shard, line);")),
  /** A script's thread loses what it made of a record. */
  LOST_IN_SCRIPT(
      new Change(
          "enrich/script/swap/ListRun",
          "enriched.addAll(outputs);",
          "if (!record.id().endsWith(\"7\")) enriched.addAll(outputs);")),
  /** The Log does not write a record. */
  NOT_LOGGED(
      new Change(
          "persist/log/SegmentWriter",
          "for (Record record : batch.records()) {",
          "for (Record record : batch.records()) { if (offset % 100 == 7) { offset++; continue;"
              + " }"));

  private static final String ROOT = "verticles/src/main/java/io/galop/";

  private final List<Change> changes;

  Mutant(Change... changes) {
    this.changes = List.of(changes);
  }

  /** One statement of a source, which has to be there once. */
  private record Change(String source, String statement, String instead) {
    String in(String text) {
      int at = text.indexOf(statement);
      if (at < 0 || text.indexOf(statement, at + 1) >= 0) {
        throw new IllegalStateException(
            "a mutant changes '%s', which has to be in %s once".formatted(statement, source));
      }
      return text.replace(statement, instead);
    }
  }

  private static Change acknowledgedAtOnce() {
    return new Change(
        "persist/log/Log", "return append.done().future();", "return Future.succeededFuture();");
  }

  private static Change writtenAfterMs(int ms) {
    return new Change(
        "persist/log/LogWriter", "write(group);", "Thread.sleep(" + ms + "); write(group);");
  }

  /** The word for it, as in {@code no-fsync}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The mutant of a word. */
  public static Mutant of(String word) {
    return Stream.of(values())
        .filter(one -> one.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no mutant " + word));
  }

  /** The changed sources, to be compiled; written under a directory. */
  List<Path> write(Path root, Path directory) throws IOException {
    List<Path> written = new ArrayList<>();
    for (String source : changes.stream().map(Change::source).distinct().toList()) {
      String text = Files.readString(root.resolve(ROOT + source + ".java"));
      for (Change change : changes) {
        text = change.source().equals(source) ? change.in(text) : text;
      }
      Path file = directory.resolve(source + ".java");
      Files.createDirectories(file.getParent());
      written.add(Files.writeString(file, text));
    }
    return written;
  }

  /**
   * Makes the jar of a mutant.
   *
   * @param root of the repository
   * @param product the classes that it stands on: a jar or a class path
   * @param directory where its jar is put
   * @return an option that makes a Java machine run the mutant instead of the product
   */
  public String option(Path root, String product, Path directory) throws IOException {
    Path home = Files.createDirectories(directory.resolve("mutant-" + word()));
    Path classes = Files.createDirectories(home.resolve("classes"));
    List<String> arguments =
        new ArrayList<>(List.of("-nowarn", "-proc:none", "--release", "17", "-cp", product));
    arguments.addAll(List.of("-d", classes.toString()));
    write(root, home.resolve("source")).forEach(file -> arguments.add(file.toString()));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
      throw new IllegalStateException("the mutant " + word() + " does not compile");
    }
    return "-javaagent:" + pack(classes, home.resolve("mutant.jar"));
  }

  private static Path pack(Path classes, Path jar) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", MutantAgent.class.getName());
    List<String> names = new ArrayList<>();
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(out, manifest);
        Stream<Path> all = Files.walk(classes)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(file).toString().replace(".class", "");
        names.add(name);
        add(packed, MutantAgent.FOLDER + name, Files.readAllBytes(file));
      }
      add(packed, MutantAgent.INDEX, String.join("\n", names).getBytes(StandardCharsets.UTF_8));
      String agent = MutantAgent.class.getName().replace('.', '/') + ".class";
      try (InputStream in = MutantAgent.class.getResourceAsStream("/" + agent)) {
        add(packed, agent, in.readAllBytes());
      }
    }
    return jar;
  }

  private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(bytes);
    out.closeEntry();
  }

  /** Makes one for tests of other modules: prints the option. Root, product, directory, word. */
  public static void main(String[] args) throws IOException {
    System.out.println(of(args[3]).option(Path.of(args[0]), args[1], Path.of(args[2])));
  }
}
