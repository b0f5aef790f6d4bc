package io.galop.loadtest.client;

import io.galop.loadtest.targets.Launch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A process that holds viewers and answers one line for each line it is sent. */
final class ViewerProcess implements AutoCloseable {
  static final String FAILED = "failed: ";
  private static final long STOP_SECONDS = 20;

  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  private ViewerProcess(Process process) {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.questions = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  static ViewerProcess start(ViewerGroup audience, int viewers, int dataBytes) throws IOException {
    String addresses =
        audience.addresses().stream().map(ViewerProcess::text).collect(Collectors.joining(","));
    List<String> command = new ArrayList<>();
    command.addAll(Launch.ownCommand(List.of("-Xmx512m"), "viewers", List.of()));
    command.addAll(List.of("--addresses", addresses, "--base", audience.base()));
    command.addAll(List.of("--transport", audience.transport().toString()));
    command.addAll(List.of("--count", "" + viewers, "--bytes", "" + dataBytes));
    command.addAll(List.of("--sources", "" + audience.sources()));
    audience.filters().forEach(filter -> command.addAll(List.of("--filter", filter)));
    return new ViewerProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  /** Sends a line and waits for the answer. */
  String ask(String question) throws IOException {
    questions.write(question + "\n");
    questions.flush();
    String answer = answers.readLine();
    if (answer == null || answer.startsWith(FAILED)) {
      throw new IOException(
          answer == null ? "a process of viewers has ended" : answer.substring(FAILED.length()));
    }
    return answer;
  }

  long pid() {
    return process.pid();
  }

  /** Ends it: it stops when nobody asks any more. */
  @Override
  public void close() {
    try {
      questions.close();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
