package io.galop.cli.certificates;

import io.galop.cli.CliFailure;
import io.galop.cli.Terminal;
import io.galop.cli.certificates.TrialAuthority.Wanted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galop certificates}: keys for trying TLS out. */
@Command(
    name = "certificates",
    mixinStandardHelpOptions = true,
    description = {
      "Makes certificates to try TLS out: an authority (ca), a server and a client of it.",
      "Where DIR has an authority it signs new ones in place of server and client; a running node",
      "takes them without a restart."
    },
    footer = {
      "",
      "The authority's key lies beside them, so they are good on your own machines only.",
      "",
      "  galop certificates keys --host feed.example.com",
      "  galop run --set http.tls.certificate=keys/server.crt --set http.tls.key=keys/server.key",
      "  galop subscribe --url https://localhost:8080 --ca keys/ca.crt 'race/#'"
    })
public final class CertificatesCommand implements Callable<Integer> {
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:*-]{1,253}");

  private final Terminal console;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "DIR", description = "Where to write them.")
  private Path directory;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description =
          "A name or address of the server besides localhost, 127.0.0.1 and ::1; repeatable.")
  private List<String> hosts = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(
      names = "--client",
      paramLabel = "NAME",
      defaultValue = "client",
      description = "Whom the client's certificate names. Default: ${DEFAULT-VALUE}.")
  private String client;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "90",
      description = "How long they are valid. Default: ${DEFAULT-VALUE}.")
  private int days;

  public CertificatesCommand(Terminal console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (days < 1) {
      throw CliFailure.usage("--days must be at least 1; it is " + days);
    }
    List<String> names = new ArrayList<>(hosts);
    names.add(client);
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw CliFailure.usage("'" + name + "' is no name; give letters, digits, '.', '-' or ':'");
      }
    }
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw CliFailure.usage("DIR must be a directory; " + directory + " is none");
    }
    TrialAuthority authority = TrialAuthority.in(directory);
    List<String> all = new ArrayList<>(hosts);
    all.addAll(LOOPBACK);
    authority.sign(new Wanted("server", all.get(0), all, 0, days));
    authority.sign(new Wanted("client", client, List.of(), 0, days));
    for (String name : List.of("ca", "server", "client")) {
      console.line(authority.file(name + ".crt") + " with " + name + ".key");
    }
    return 0;
  }
}
