package io.galop.loadtest.client;

import io.galop.loadtest.latency.HostPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The other end of {@link ViewerProcess}; ends when its standard input does. */
@Command(name = "viewers", hidden = true)
public final class ViewersCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(names = "--addresses", required = true, split = ",")
  private List<String> addresses;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(names = "--base", required = true)
  private String base;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Option(names = "--transport", required = true)
  private ViewerTransport transport;

  @Option(names = "--filter")
  private List<String> filters = List.of();

  @Option(names = "--sources", required = true)
  private int sources;

  @Option(names = "--count", required = true)
  private int count;

  @Option(names = "--bytes", required = true)
  private int bytes;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ViewerGroup audience =
        new ViewerGroup(
            addresses.stream().map(HostPorts::parse).toList(),
            false,
            base,
            transport,
            filters,
            0,
            sources);
    BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Crowd crowd = new Crowd(audience, count, bytes)) {
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        System.out.println(answer(crowd, line.split(" ")));
      }
    }
    return 0;
  }

  private static String answer(Crowd crowd, String[] words) throws InterruptedException {
    try {
      switch (words[0]) {
        case "connect" -> crowd.connect();
        case "measure" -> crowd.measureFrom(Long.parseLong(words[1]), Long.parseLong(words[2]));
        case "warm" -> {
          return Boolean.toString(crowd.areWarm());
        }
        case "seen" -> {
          return SeenText.of(crowd.seen());
        }
        default -> throw new IOException("unknown question " + words[0]);
      }
      return "done";
    } catch (IOException e) {
      return ViewerProcess.FAILED + e.getMessage();
    }
  }
}
