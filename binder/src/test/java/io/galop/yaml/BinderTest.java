package io.galop.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of key, bound and refused, on a configuration made for the purpose. */
class BinderTest {
  enum Mode {
    FAST,
    READ_ONLY
  }

  sealed interface Step permits Drop, Sample, Split {}

  @Brick("drop")
  record Drop() implements Step {}

  @Brick("sample")
  record Sample(@Doc("Keeps one in so many.") @Range(min = 1, max = 100) int every)
      implements Step {}

  @Brick("split")
  record Split(@Doc("The steps of a branch.") List<Step> steps) implements Step {}

  record Span(@Default("1") int low, @Default("5") int high, List<Integer> marks) {
    Span {
      marks = List.copyOf(marks);
      if (marks.contains(0)) {
        throw new IllegalArgumentException("marks[" + marks.indexOf(0) + "] must not be 0");
      }
      if (high == 13) {
        throw new IllegalArgumentException("is unlucky");
      }

      if (low > high) {
        throw new IllegalArgumentException("high must not be below low, " + high + " < " + low);
      }
    }
  }

  record Everything(
      @Default("7") @Range(min = 0, max = 10) int count,
      @Default("0.5") @Range(min = 0, max = 1) double share,
      @Default("9000000000") @Range(min = 1) long bytes,
      @Default("true") boolean on,
      @Default("read-only") Mode mode,
      @Default("") String name,
      @Secret @Default("4711") @Range(max = 9999) int pin,
      @Default("[a, b]") List<String> words,
      Optional<Integer> limit,
      Map<String, Span> spans,
      @Default("drop") Step step,
      List<Step> chain) {}

  private static Everything bind(String yaml) {
    Problems problems = new Problems();
    Value written = Yaml.readFile(yaml, "t.yaml", problems);
    problems.refuse();
    return new Binder(problems).bind(Everything.class, written);
  }

  private static String refusal(String yaml) {
    return assertThrows(ConfigException.class, () -> bind(yaml)).getMessage();
  }

  @Test
  void bindsDefaults() {
    Everything expected =
        new Everything(
            7,
            0.5,
            9_000_000_000L,
            true,
            Mode.READ_ONLY,
            "",
            4711,
            List.of("a", "b"),
            Optional.empty(),
            Map.of(),
            new Drop(),
            List.of());
    assertEquals(expected, bind(""));
  }

  @Test
  void bindsEveryTypeFromYaml() {
    Everything bound =
        bind(
            """
            count: 3
            share: 1e-3
            bytes: 12
            on: false
            mode: fast
            name: 1.10
            words: [x, "y z"]
            limit: 9
            spans: {near: {high: 2}, far: {low: 4}}
            step: {sample: {every: 5}}
            chain:
              - drop
              - split:
                  steps: [{sample: {every: 2}}]
            """);
    assertEquals(3, bound.count());
    assertEquals(0.001, bound.share());
    assertEquals(Mode.FAST, bound.mode());
    assertEquals("1.10", bound.name());
    assertEquals(List.of("x", "y z"), bound.words());
    assertEquals(Optional.of(9), bound.limit());
    assertEquals(
        Map.of("near", new Span(1, 2, List.of()), "far", new Span(4, 5, List.of())), bound.spans());
    assertEquals(new Sample(5), bound.step());
    assertEquals(List.of(new Drop(), new Split(List.of(new Sample(2)))), bound.chain());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "count: 11            | count: must be a whole number from 0 to 10, not '11' (t.yaml:1)",
        "count: x             | count: must be a whole number from 0 to 10, not 'x' (t.yaml:1)",
        "count: 1.5           | count: must be a whole number from 0 to 10, not '1.5' (t.yaml:1)",
        "count:               | count: must be a whole number from 0 to 10, not nothing (t.yaml:1)",
        "count: [1]           | count: must be a whole number from 0 to 10, not a list (t.yaml:1)",
        "count: 99999999999   | count: must be a whole number from 0 to 10, not '99999999999'"
            + " (t.yaml:1)",
        "share: 1.01          | share: must be a number from 0 to 1, not '1.01' (t.yaml:1)",
        "share: .nan          | share: must be a number from 0 to 1, not '.nan' (t.yaml:1)",
        "bytes: 0             | bytes: must be a whole number not below 1, not '0' (t.yaml:1)",
        "on: yes              | on: must be true or false, not 'yes' (t.yaml:1)",
        "mode: read_only      | mode: must be fast or read-only, not 'read_only'; did you mean"
            + " 'read-only'? (t.yaml:1)",
        "mode: slow           | mode: must be fast or read-only, not 'slow' (t.yaml:1)",
        "name: {a: 1}         | name: must be text, not a map with the keys a (t.yaml:1)",
        "pin: 10000           | pin: must be a whole number not above 9999, not what was given"
            + " (t.yaml:1)",
        "words: a             | words: must be a list of texts, not 'a' (t.yaml:1)",
        "words: [a, [b]]      | words[1]: must be text, not a list (t.yaml:1)",
        "limit: x             | limit: must be a whole number, not 'x' (t.yaml:1)",
        "spans: 3             | spans: must be a map by name, not '3' (t.yaml:1)",
        "spans: {a: {hi: 3}}  | spans.a.hi: unknown key, known here: low, high, marks (t.yaml:1)",
        "spans: {a: {low: 6}} | spans.a.high: must not be below low, 5 < 6 (t.yaml:1)",
        "step:                | step: must be a map with one key, drop, sample or split, not"
            + " nothing (t.yaml:1)",
        "step: {drop: , a: }  | step: must be a map with one key, drop, sample or split, not a map"
            + " with the keys drop, a (t.yaml:1)",
        "step: smaple         | step: must be drop, sample or split, not 'smaple'; did you mean"
            + " 'sample'? (t.yaml:1)",
        "step: {drop: {a: 1}} | step.drop.a: unknown key, known here: there are none (t.yaml:1)",
        "step: sample         | step.sample.every: must be given: a whole number from 1 to 100"
            + " (t.yaml:1)",
        "chain: {drop: }      | chain: must be a list of drop, sample or split, not a map with the"
            + " keys drop (t.yaml:1)",
        "cuont: 1             | cuont: unknown key, known here: count, share, bytes, on, mode,"
            + " name, pin, words, limit, spans, step, chain; did you mean 'count'? (t.yaml:1)",
        "count: 1: 2          | t.yaml:1:9: is not valid YAML, mapping values are not allowed here",
        "name: !x a           | name: must not have a tag, not !x (t.yaml:1)",
        "words: &a [*a]       | words: must not contain itself (t.yaml:1)",
        "[a]                  | must be a map with the keys count, share, bytes, on, mode, name,"
            + " pin, words, limit, spans, step, chain, not a list (t.yaml:1)",
        "? [a]                | must have words as keys, not a list or a map (t.yaml:1)",
      })
  void refuses(String yaml, String message) {
    assertEquals(message, refusal(yaml));
  }

  @Test
  void rulesOfARecordStandWithTheirKey() {
    assertEquals(
        """
        spans.a.high: must not be below low, 2 < 3 (t.yaml:4)
        spans.b.marks[1]: must not be 0 (t.yaml:6)
        spans.c: is unlucky (t.yaml:7)\
        """,
        refusal(
            """
            spans:
              a:
                low: 3
                high: 2
              b:
                marks: [1, 0]
              c:
                high: 13
            """));
  }

  @Test
  void namesTheLineOfEachProblem() {
    assertEquals(
        """
        chain[1].sample.every: must be a whole number from 1 to 100, not '0' (t.yaml:5)
        chain[2]: must be drop, sample or split, not 'dorp'; did you mean 'drop'? (t.yaml:6)\
        """,
        refusal(
            """
            # a comment
            chain:
              - drop
              - sample:
                  every: 0
              - dorp
            """));
  }

  /** Its bricks are named where it is bound, for they are of packages that it cannot know. */
  interface Plan {}

  record Walk(@Doc("Pace.") @Default("2") @Range(min = 0.5, max = 9) double pace) implements Plan {}

  enum Shoe {
    LIGHT,
    @Word("size.44")
    LARGE
  }

  record Trip(Plan plan, Shoe shoe, Map<String, Object> settings, List<Shoe> others) {}

  private static Trip trip(String yaml) {
    Problems problems = new Problems();
    Value written = Yaml.readFile(yaml, "t.yaml", problems);
    return new Binder(problems)
        .bind(Trip.class, written, Map.of(Plan.class, Map.of("walk", Walk.class)));
  }

  @Test
  void bindsBricksOfAnOpenType() {
    assertEquals(new Walk(0.5), trip("{plan: {walk: {pace: 0.5}}, shoe: light}").plan());
    assertEquals(
        "plan.walk.pace: must be a number from 0.5 to 9, not '0.4' (t.yaml:1)",
        assertThrows(ConfigException.class, () -> trip("{plan: {walk: {pace: 0.4}}, shoe: light}"))
            .getMessage());
    assertEquals(
        "plan: must be given: a map with one key, walk (t.yaml:1)",
        assertThrows(ConfigException.class, () -> trip("shoe: light")).getMessage());
  }

  @Test
  void aConstantMayHaveAWordOfItsOwn() {
    assertEquals(Shoe.LARGE, trip("{plan: walk, shoe: size.44}").shoe());
    assertEquals(
        "shoe: must be light or size.44, not 'large' (t.yaml:1)",
        assertThrows(ConfigException.class, () -> trip("{plan: walk, shoe: large}")).getMessage());
  }

  @Test
  void keepsWhatIsFreeAsItIsWritten() {
    Map<String, Object> kept =
        trip("{plan: walk, shoe: light, settings: {a: 1.10, b: [x, {c: true}], d: '2'}}")
            .settings();
    assertEquals(Map.of("a", "1.10", "b", List.of("x", Map.of("c", "true")), "d", "2"), kept);
    assertEquals(Map.of(), trip("{plan: walk, shoe: light}").settings());
  }

  @Test
  void refusesAKeyGivenTwice() {
    assertEquals(
        "count: given twice, first at t.yaml:1 (t.yaml:3)",
        refusal("count: 1\non: true\ncount: 2"));
  }

  @Test
  void refusesASecondDocument() {
    assertEquals(
        "t.yaml:2:1: is not valid YAML, expected a single document in the stream: but found another"
            + " document",
        refusal("count: 1\n---\ncount: 2"));
  }
}
