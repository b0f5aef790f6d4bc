package io.galop.loadtest.queries;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Questions about the past, from memory and from each store, beside a static file. */
@Command(
    name = "queries",
    mixinStandardHelpOptions = true,
    description = {
      "Starts and fills a node for each source, and queries all of its records: clients that start",
      "one after the other and ask once each, and clients in a closed loop. nginx serves the same",
      "bytes as a file, to the same clients."
    },
    footer = {
      "",
      "Latency runs from the due start of a client, its connection included, until the last byte.",
      "The clients check the length of each answer, and every byte of one in ten. Closed loops"
          + " give",
      "the median of the rounds. If the clients used about a processor, they were the limit."
    })
public final class QueriesCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Mixin private final QueryOptions options = new QueryOptions();

  @Override
  public Integer call() throws Exception {
    if (!options.sources.get(0).isGalop()) {
      throw new ParameterException(
          spec.commandLine(), "--from must not begin with NGINX, which serves the first's answer");
    }
    Queries plan = options.plan();
    try (Subjects subjects = new Subjects(plan, options.nodes())) {
      for (AnswerSource source : options.sources) {
        subjects.start(source);
        System.err.println("ready: " + source.label());
      }
      try (QueryRun run = new QueryRun(plan, subjects.all(), System.err::println)) {
        return report(run.run());
      }
    }
  }

  private int report(List<QueryRow> rows) throws IOException {
    StringBuilder table = new StringBuilder(QueryRow.head());
    rows.forEach(row -> table.append(row.line()));
    for (QueryRow row : rows) {
      row.beside(rows).ifPresent(words -> table.append(words).append(System.lineSeparator()));
    }
    System.out.print(table);
    JsonArray json = new JsonArray(rows.stream().map(QueryRow::toJson).toList());
    Files.writeString(options.json, new JsonObject().put("queries", json).encodePrettily() + "\n");
    return rows.stream().allMatch(row -> row.wrong() == 0) ? 0 : 1;
  }
}
