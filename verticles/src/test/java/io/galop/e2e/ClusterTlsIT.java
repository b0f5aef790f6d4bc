package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.servers.Authority;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of one authority carry records to the screen; one of another hears nothing. */
@Timeout(180)
class ClusterTlsIT {
  @TempDir Path directory;

  private List<String> certificates(String authority) throws Exception {
    List<String> args = new ArrayList<>();
    Authority.make(directory.resolve(authority))
        .settings()
        .forEach(one -> args.addAll(List.of("--set", one)));
    return args;
  }

  @Test
  void aNodeWithAWrongCertificateIsRefused() throws Exception {
    String[] theirs = certificates("theirs").toArray(String[]::new);
    try (Nodes nodes =
        new Nodes(directory, List.of("secure", "front", "stranger"), certificates("ours"))) {
      GalopProcess secure = nodes.start("secure", "ingest,enrich,persist");
      GalopProcess front = nodes.start("front", "broadcast");
      Counted counted = new Counted();
      try (Viewer viewer = Viewer.on(front.http("/live"), "websocket", "a/#")) {
        GalopProcess stranger = nodes.begin("stranger", "broadcast", theirs);
        Await.until("the stranger is refused", 120, () -> isRefused(secure.text()));
        counted.publish(secure, 200);
        Await.until(
            "the viewer has all",
            120,
            () ->
                viewer.records().stream()
                    .map(Seen::id)
                    .collect(Collectors.toSet())
                    .equals(counted.ids()));
        assertFalse(Nodes.isReady(stranger), "it has no feed");
        assertTrue(Nodes.isReady(front));
        assertEquals(List.of(), viewer.all("close"));
        assertFalse(secure.complaints().contains("\tat "), "no stack traces:\n" + secure.text());
      }
    }
  }

  /** Whichever of the two finds the other's certificate wrong first. */
  private static boolean isRefused(String log) {
    return log.contains("it has shown no certificate of this cluster (cluster.tls)")
        || log.contains("it does not accept the certificate of this node (cluster.tls)");
  }
}
