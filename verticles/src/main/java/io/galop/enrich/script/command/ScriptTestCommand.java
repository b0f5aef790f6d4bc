package io.galop.enrich.script.command;

import io.galop.enrich.script.CaseRun;
import io.galop.enrich.script.ScriptCase;
import io.galop.enrich.script.ScriptCases;
import io.galop.enrich.script.ScriptPlace;
import io.galop.guest.GraalLanguage;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code galop script test}: runs the cases beside a script. */
@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the cases in NAME.cases.yaml beside a script, each with the script freshly loaded.",
      "Shows differences: '-' is missing, '+' is unexpected."
    },
    footer = {"", "Exit code 0 if every case passes, 1 if one does not."})
final class ScriptTestCommand implements Callable<Integer> {
  private final PrintStream out;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The script, or the name of a shipped one, such as celsius.js.")
  private Path file;

  ScriptTestCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException {
    GraalLanguage.quiet();
    ScriptPlace place = ScriptPlace.of(file);
    List<ScriptCase> cases = cases(place);
    int failed = 0;
    for (ScriptCase one : cases) {
      List<String> differences = CaseRun.differences(place, one);
      out.println((differences.isEmpty() ? "ok    " : "FAIL  ") + one.name());
      differences.forEach(line -> out.println("      " + line));
      failed += differences.isEmpty() ? 0 : 1;
    }
    out.printf("%s: %d passed, %d failed%n", place.file(), cases.size() - failed, failed);
    return failed == 0 ? 0 : 1;
  }

  private List<ScriptCase> cases(ScriptPlace place) throws IOException {
    String text =
        place
            .cases()
            .orElseThrow(
                () ->
                    wrong("there are no cases: write " + place.casesFile() + " beside the script"));
    try {
      SourceFile.find(place.directory(), place.file());
      return ScriptCases.read(place.casesFile(), text);
    } catch (IllegalArgumentException e) {
      throw wrong(ErrorText.of(e));
    }
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }
}
