package io.galop;

import io.galop.cli.ProgressLine;
import io.galop.cli.Terminal;
import io.galop.cli.certificates.CertificatesCommand;
import io.galop.cli.http.ScriptDeployCommand;
import io.galop.cli.http.ScriptStatusCommand;
import io.galop.cli.live.LiveFeed;
import io.galop.enrich.script.command.ScriptCommand;
import io.galop.persist.inspect.LogCommand;
import io.galop.persist.log.stopped.StoppedLog.OnProgress;

/** The entry point. */
public final class Galop {
  /** Of the JDK's TLS, which reads it at its first handshake. */
  private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

  private Galop() {}

  public static void main(String[] args) {
    // With TLS 1.2 a client could have a node do handshake after handshake on one connection.
    System.setProperty(REJECT_RENEGOTIATION, "true");
    Terminal console = Terminal.ofProcess();
    System.exit(Cli.execute(args, FileChecks::problems, commands(console)));
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
