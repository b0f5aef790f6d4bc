package io.galop;

import io.galop.cli.CliFailure;
import io.galop.cli.NativeText;
import io.galop.cli.ProgressLine;
import io.galop.cli.Terminal;
import io.galop.cli.certificates.CertificatesCommand;
import io.galop.cli.http.ScriptDeployCommand;
import io.galop.cli.http.ScriptStatusCommand;
import io.galop.cli.live.LiveFeed;
import io.galop.enrich.script.command.ScriptCommand;
import io.galop.persist.inspect.LogCommand;
import io.galop.persist.log.stopped.StoppedLog.OnProgress;
import java.util.List;
import java.util.Locale;

/** The entry point. */
public final class Galop {
  /** Of the JDK's TLS, which reads it at its first handshake. */
  private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

  private Galop() {}

  public static void main(String[] args) {
    // With TLS 1.2 a client could have a node do handshake after handshake on one connection.
    System.setProperty(REJECT_RENEGOTIATION, "true");
    // What it writes is read by programs, in any country: digits and letters are those of ASCII.
    Locale.setDefault(Locale.ROOT);
    Terminal console = Terminal.ofProcess();
    NativeText.ofProcess()
        .problem(List.of(args), System.getenv(), System.getProperty("user.dir"))
        .ifPresent(problem -> refuse(console, problem));
    System.exit(Cli.execute(args, FileChecks::problems, commands(console)));
  }

  private static void refuse(Terminal console, String problem) {
    console.say("galop: " + problem);
    System.exit(CliFailure.USAGE);
  }

  /** The commands that are not of the command line's own package. */
  static Object[] commands(Terminal console) {
    return new Object[] {
      new RunCommand(),
      new DemoCommand(),
      ScriptCommand.of(
              console.in(),
              console.out(),
              console.err(),
              (filter, url, count, onLine) -> LiveFeed.read(console, filter, url, count, onLine))
          .addSubcommand(new ScriptDeployCommand(console))
          .addSubcommand(new ScriptStatusCommand(console)),
      new CertificatesCommand(console),
      LogCommand.of(console.out(), console.err(), progress(console))
    };
  }

  private static OnProgress progress(Terminal console) {
    ProgressLine line = new ProgressLine(console, System::nanoTime);
    return (done, of) -> {
      if (done < of) {
        line.show(() -> "%,d of %,d MB read".formatted(done / 1_000_000, of / 1_000_000));
      } else {
        line.end();
      }
    };
  }
}
