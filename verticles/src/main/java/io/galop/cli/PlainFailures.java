package io.galop.cli;

import io.galop.config.FileFault;
import io.galop.jvm.ErrorText;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.InvalidPathException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells users what went wrong in plain sentences; stack traces go to the debug log only. */
public final class PlainFailures implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(PlainFailures.class);
  private final Terminal console;

  public PlainFailures(Terminal console) {
    this.console = console;
  }

  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    CommandLine line = wrong.getCommandLine();
    console.say("galop: " + wrong.getMessage());
    UnmatchedArgumentException.printSuggestions(wrong, console.err());
    console.say("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    return CliFailure.USAGE;
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine line, ParseResult parsed) {
    LOG.debug("command failed", failure);
    if (failure instanceof ConfigException config) {
      config.problems().forEach(problem -> console.say("galop: " + problem));
      return CliFailure.USAGE;
    }
    console.say("galop: " + inWords(failure));
    return failure instanceof CliFailure known ? known.exitCode() : CliFailure.FAILED;
  }

  /** What happened, for a user: never a bare class name where there is something better. */
  static String inWords(Throwable failure) {
    if (failure instanceof ConnectException) {
      return "no connection: " + message(failure);
    }
    if (failure instanceof InvalidPathException path) {
      return NativeText.ofProcess().problem(path);
    }
    if (failure instanceof IOException file) {
      return FileFault.of(file);
    }
    if (isForUsers(failure)) {
      return message(failure);
    }
    return "unexpected failure: " + failure.getClass().getSimpleName() + ": " + message(failure);
  }

  /** What Galop itself throws says in its message what is wrong and what to do. */
  private static boolean isForUsers(Throwable failure) {
    return failure.getClass().getName().startsWith("io.galop.");
  }

  private static String message(Throwable failure) {
    return ErrorText.of(failure);
  }
}
