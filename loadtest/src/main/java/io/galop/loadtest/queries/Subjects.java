package io.galop.loadtest.queries;

import io.galop.loadtest.targets.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts sources and fills them, until each gives the whole answer. */
final class Subjects implements AutoCloseable {
  private static final long FILL_SECONDS = 180;
  private static final long LOOK_EVERY_MS = 200;

  /** Longer than the RAM tier keeps records where a store is to be asked, and its tick. */
  private static final long FORGET_MS = 4_000;

  private final Queries options;
  private final Nodes nodes;
  private final List<Subject> subjects = new ArrayList<>();
  private final List<AutoCloseable> started = new ArrayList<>();

  Subjects(Queries options, Nodes nodes) {
    this.options = options;
    this.nodes = nodes;
  }

  List<Subject> all() {
    return subjects;
  }

  void start(AnswerSource source) throws IOException, InterruptedException {
    if (source.isGalop()) {
      startGalop(source);
    } else {
      Expected same = subjects.get(0).expected();
      StoreProcess nginx = keep(Nginx.serve(same.body()));
      Question question = new Question(Launch.loopback(nginx.port()), Nginx.FILE, false);
      subjects.add(new Subject(source, question, same, null, nginx));
    }
  }

  private void startGalop(AnswerSource source) throws IOException, InterruptedException {
    StoreProcess store = store(source);
    List<String> settings = new ArrayList<>(settings(source, store));
    settings.addAll(source.settings());
    Nodes.Running node = nodes.start(settings);
    keep(node.end());
    String target = "/history/" + Filling.TOPIC + "?limit=" + options.records();
    Question question = new Question(node.http(), target, source == AnswerSource.RAM_EACH);
    Filling.fill(node.tcp(), options.records());
    if (source.isCold()) {
      TimeUnit.MILLISECONDS.sleep(FORGET_MS);
    }
    Expected expected = Expected.of(awaitWhole(source, question));
    subjects.add(new Subject(source, question, expected, node, store));
  }

  private <T extends AutoCloseable> T keep(T process) {
    started.add(process);
    return process;
  }

  private @Nullable StoreProcess store(AnswerSource source)
      throws IOException, InterruptedException {
    return switch (source) {
      case MARIADB -> keep(QueryStores.mariaDb());
      case REDIS -> keep(QueryStores.redis());
      case MONGODB -> options.mongo().isEmpty() ? keep(QueryStores.mongoStandIn()) : null;
      default -> null;
    };
  }

  private static StoreProcess own(AnswerSource source, @Nullable StoreProcess store) {
    return Objects.requireNonNull(store, () -> source.label() + " has a server of its own");
  }

  private List<String> settings(AnswerSource source, @Nullable StoreProcess store) {
    return switch (source) {
      case MARIADB -> QueryStores.mariaDbSettings(own(source, store));
      case REDIS -> QueryStores.redisSettings(own(source, store));
      case MONGODB ->
          QueryStores.mongoSettings(
              options.mongo().isEmpty()
                  ? "127.0.0.1:" + own(source, store).port()
                  : options.mongo(),
              "galop_" + System.currentTimeMillis());
      case EMBEDDED -> List.of("persist.cold.enabled=true");
      default -> List.of("persist.cold.enabled=false");
    };
  }

  /** A store may need a moment, and a question may be too early for it. */
  private byte[] awaitWhole(AnswerSource source, Question question)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FILL_SECONDS);
    String why = "";
    while (System.nanoTime() < deadline) {
      try {
        byte[] body = fetch(question);
        int found = Expected.records(body);
        if (found == options.records()) {
          return body;
        }
        why = "only " + found + " records";
      } catch (IOException e) {
        why = e.getMessage();
        System.err.println(source.label() + ": " + why);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
    throw new IOException(source.label() + ": " + why + " after " + FILL_SECONDS + " s");
  }

  private static byte[] fetch(Question question) throws IOException {
    InetSocketAddress at = question.server();
    URI uri = URI.create("http://" + at.getHostString() + ":" + at.getPort() + question.target());
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
      try (InputStream error = connection.getErrorStream()) {
        throw new IOException(new String(error.readAllBytes(), StandardCharsets.UTF_8).trim());
      }
    }
    try (InputStream in = connection.getInputStream()) {
      return in.readAllBytes();
    }
  }

  /** The last comes first: a node goes before its store. */
  @Override
  public void close() {
    for (int i = started.size() - 1; i >= 0; i--) {
      try {
        started.get(i).close();
      } catch (Exception e) {
        System.err.println("galop-loadtest: stopping what was started: " + e);
      }
    }
  }
}
