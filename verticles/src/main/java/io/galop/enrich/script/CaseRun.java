package io.galop.enrich.script;

import io.galop.jvm.ErrorText;
import io.galop.record.DerivedId;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Runs a case on a script that was loaded for it. */
public final class CaseRun {
  private final Function<Map<String, String>, Script> open;
  private final ScriptCase tried;

  private CaseRun(Function<Map<String, String>, Script> open, ScriptCase tried) {
    this.open = open;
    this.tried = tried;
  }

  /**
   * What is other than it should be, in lines; none if the script does what the case says.
   *
   * @param open loads the script with the settings that it is given
   */
  public static List<String> differences(
      Function<Map<String, String>, Script> open, ScriptCase tried) {
    return new CaseRun(open, tried).run();
  }

  /** What is other than it should be, in lines; none if the script does what the case says. */
  public static List<String> differences(ScriptPlace place, ScriptCase tried) {
    return differences(place::open, tried);
  }

  private List<String> run() {
    List<Record> outputs = new ArrayList<>();
    int number = 0;
    try (Script script = open.apply(tried.settings())) {
      for (Record input : tried.inputs()) {
        number++;
        outputs.addAll(script.call(input));
      }
    } catch (ScriptFailure e) {
      return onRejection(number, ErrorText.of(e));
    } catch (IllegalArgumentException e) {
      return List.of(ErrorText.of(e));
    }
    if (tried.rejects().isPresent()) {
      return List.of(
          "the last input was to be rejected with '%s', but was taken"
              .formatted(tried.rejects().get()));
    }
    return differences(shown(tried.outputs()), shown(outputs));
  }

  private List<String> onRejection(int number, String detail) {
    boolean isLast = number == tried.inputs().size();
    if (isLast && tried.rejects().filter(detail::contains).isPresent()) {
      return List.of();
    }
    List<String> lines =
        new ArrayList<>(List.of("input %d is rejected: %s".formatted(number, detail)));
    if (isLast) {
      tried.rejects().ifPresent(text -> lines.add("which does not hold '" + text + "'"));
    }
    return lines;
  }

  private static List<String> shown(List<Record> records) {
    return records.stream().map(CaseRun::show).toList();
  }

  /** In a case ids stand without the mark of the topic that a record was made of. */
  private static String show(Record record) {
    String data = new String(record.data(), StandardCharsets.UTF_8);
    return DerivedId.plain(record.id()) + ' ' + record.topic() + ' ' + record.timeUs() + ' ' + data;
  }

  /** What is missing and what is too much, without what both begin or end with. */
  private static List<String> differences(List<String> expected, List<String> actual) {
    int same = 0;
    int shorter = Math.min(expected.size(), actual.size());
    while (same < shorter && expected.get(same).equals(actual.get(same))) {
      same++;
    }
    int end = 0;
    while (end < shorter - same && fromEnd(expected, end).equals(fromEnd(actual, end))) {
      end++;
    }
    List<String> lines = new ArrayList<>();
    expected.subList(same, expected.size() - end).forEach(line -> lines.add("- " + line));
    actual.subList(same, actual.size() - end).forEach(line -> lines.add("+ " + line));
    return lines;
  }

  private static String fromEnd(List<String> lines, int i) {
    return lines.get(lines.size() - 1 - i);
  }
}
