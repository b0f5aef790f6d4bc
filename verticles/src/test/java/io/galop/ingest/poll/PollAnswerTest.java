package io.galop.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.ingest.PollSourceConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PollAnswerTest {
  @TempDir private Path directory;

  private static PollSourceConfig source(String settings) {
    String source = "{name: s, url: 'http://h/', " + settings + "}";
    return ConfigLoader.load(
            Optional.empty(), Map.of(), List.of("ingest.poll.sources=[" + source + "]"), Map.of())
        .ingest()
        .poll()
        .sources()
        .get(0);
  }

  private static PollAnswer read(String settings, String body) throws BadAnswer {
    return PollAnswer.of(source(settings), body.getBytes(StandardCharsets.UTF_8));
  }

  private static String items(PollAnswer answer) {
    return answer.items().stream()
        .map(item -> item.topic() + " " + new String(item.data(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("; "));
  }

  private static String refusal(String settings, String body) {
    return assertThrows(BadAnswer.class, () -> read(settings, body)).getMessage();
  }

  @Test
  void takesItemsFromWhereTheyAre() throws BadAnswer {
    assertEquals(
        "race/7 {\"id\":7,\"odds\":1.10}; race/8 {\"id\":8}",
        items(read("topic: 'race/{id}'", "[{\"id\":7,\"odds\":1.10},{\"id\":8}]")));
    assertEquals(
        "r/a/x {\"n\":{\"k\":\"a\"},\"m\":\"x\"}; r/b/y {\"n\":{\"k\":\"b\"},\"m\":\"y\"}",
        items(
            read(
                "topic: 'r/{n.k}/{m}', items: /day/races",
                "{\"day\":[{\"races\":[{\"n\":{\"k\":\"a\"},\"m\":\"x\"}]},"
                    + "{\"races\":{\"n\":{\"k\":\"b\"},\"m\":\"y\"}}]}")));
    assertEquals("one {\"v\":1}", items(read("topic: one", "{\"v\":1}")));
    assertEquals(
        "one {\"b\":2}", items(read("topic: one, fields: [b, none]", "{\"a\":1,\"b\":2}")));
    assertEquals("", items(read("topic: 'x/{id}', items: /list", "{\"list\":[]}")));
  }

  @Test
  void numbersKeepTheirDigits() throws BadAnswer {
    String numbers = "{\"a\":12345678901234567890.123456789012345678,\"b\":1e400,\"c\":-0.0}";
    assertEquals("n " + numbers, items(read("topic: n", numbers)));
  }

  @Test
  void theOrderOfFieldsIsNoChange() throws BadAnswer {
    ContentHash hash =
        read("topic: a", "{\"x\":1,\"y\":[1,{\"p\":1,\"q\":2}]}").items().get(0).hash();
    assertEquals(
        hash, read("topic: a", "{\"y\":[1,{\"q\":2,\"p\":1}], \"x\":1}").items().get(0).hash());
    assertNotEquals(
        hash, read("topic: a", "{\"y\":[{\"q\":2,\"p\":1},1], \"x\":1}").items().get(0).hash());
    assertNotEquals(
        hash, read("topic: a", "{\"y\":[1,{\"q\":2,\"p\":1}], \"x\":\"1\"}").items().get(0).hash());
  }

  @Test
  void itemsWithoutATopicOfTheirOwnAreRefused() throws BadAnswer {
    PollAnswer answer =
        read(
            "topic: 'r/{id}'",
            "[{\"id\":1},{\"id\":1},{},{\"id\":null},{\"id\":[1]},7,{\"id\":\"\"}]");
    assertEquals("r/1 {\"id\":1}", items(answer));
    assertEquals(6, answer.refused());
    assertEquals("two items have the topic r/1", answer.firstRefusal());
  }

  @Test
  void saysWhatIsWrongWithAnAnswer() {
    assertEquals("the answer is empty", refusal("topic: a", ""));
    assertTrue(refusal("topic: a", "{\"a\":\n 1,}").startsWith("the answer is no JSON: "));
    assertTrue(refusal("topic: a", "{\"a\":\n 1,}").contains(" at line 2, column "));
    assertEquals("the answer continues after its JSON value", refusal("topic: a", "{} {}"));
    assertTrue(refusal("topic: a", "[".repeat(300)).contains("nesting depth"));
    assertEquals(
        "the answer has no 'races' of /day/races",
        refusal("topic: a, items: /day/races", "{\"day\":{\"error\":1}}"));
    assertTrue(refusal("topic: a, format: xml", "{}").startsWith("the answer is no XML"));
    assertTrue(refusal("topic: a, format: xml", "<a><b></a>").contains(" at line 1, column "));
  }

  private static final String SOAP =
      "format: xml, topic: 'race/{@id}', items: /Envelope/Body/Races/race, numbers: [odds, '@no']";

  private static String envelope(String inside) {
    return "<?xml version=\"1.0\"?><soap:Envelope"
        + " xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\""
        + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><soap:Body>"
        + inside
        + "</soap:Body></soap:Envelope>";
  }

  @Test
  void readsXml() throws BadAnswer {
    String races =
        "<m:Races xmlns:m='urn:m'><m:race id='7'><name>A &amp;"
            + " B&#33;<![CDATA[<]]></name><odds>3.50</odds><odds>x</odds><left"
            + " xsi:nil='true'/><note lang='en'> hi </note><none/></m:race><race id='8'/><!-- no"
            + " more --></m:Races>";
    assertEquals(
        "race/7 {\"@id\":\"7\",\"name\":\"A & B!<\",\"odds\":[3.50,\"x\"],\"left\":null,"
            + "\"note\":{\"@lang\":\"en\",\"#text\":\"hi\"},\"none\":\"\"}; race/8 {\"@id\":\"8\"}",
        items(read(SOAP, envelope(races))));
    assertEquals(
        "r {\"horse\":[\"a\"]}",
        items(read("format: xml, topic: r, items: /r, lists: [horse]", "<r><horse>a</horse></r>")));
  }

  @Test
  void anEmptyListOfXmlIsNoElementButAFaultIsNoEmptyList() throws BadAnswer {
    assertEquals(
        "", items(read(SOAP + ", onGone: record", envelope("<Races><day>1</day></Races>"))));
    assertEquals(
        "the answer has no 'Races' of /Envelope/Body/Races/race",
        refusal(SOAP, envelope("<soap:Fault><faultcode>Server</faultcode></soap:Fault>")));
  }

  @Test
  void entitiesAreRefusedAndNothingIsFetched() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "open sesame");
    List<String> attempts =
        List.of(
            "<!DOCTYPE a [<!ENTITY x SYSTEM '" + secret.toUri() + "'>]><a><b>&x;</b></a>",
            "<!DOCTYPE a SYSTEM '" + secret.toUri() + "'><a/>",
            "<!DOCTYPE a [<!ENTITY % x SYSTEM '" + secret.toUri() + "'> %x;]><a/>",
            "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;'>]><a>&c;</a>",
            "<a>&undeclared;</a>");
    for (String attempt : attempts) {
      String said = refusal("format: xml, topic: a", attempt);
      assertTrue(said.contains("is refused") || said.contains("is no XML"), said);
    }
  }

  @Test
  void onlyChangesAreToldAndTheRestIsCounted() throws BadAnswer {
    int[] ids = new int[1];
    KnownTopics known = new KnownTopics(3, true, () -> "id" + ids[0]++);
    assertEquals("a:id0 b:id1", tell(known, "[{\"t\":\"a\",\"v\":1},{\"t\":\"b\"}]", true));
    assertEquals("", tell(known, "[{\"v\":1,\"t\":\"a\"},{\"t\":\"b\"}]", true));
    assertEquals(2, known.unchanged());
    assertEquals("a:id2", tell(known, "[{\"t\":\"a\",\"v\":2},{\"t\":\"b\"}]", false));
    assertEquals(
        "a:id2", tell(known, "[{\"t\":\"a\",\"v\":2},{\"t\":\"b\"}]", true), "the same id");
    assertEquals(
        "c:id3",
        tell(known, "[{\"t\":\"a\",\"v\":2},{\"t\":\"b\"},{\"t\":\"c\"},{\"t\":\"d\"}]", true));
    assertEquals(1, known.overLimit());
    assertEquals("b:id4 c:id5", tell(known, "[{\"t\":\"a\",\"v\":2}]", true), "gone");
    assertEquals(2, known.gone());
    assertEquals("", tell(known, "[{\"t\":\"a\",\"v\":2}]", true));
    assertEquals(1, known.size());
    assertEquals("b:id6", tell(known, "[{\"t\":\"a\",\"v\":2},{\"t\":\"b\"}]", true), "back");
  }

  private static String tell(KnownTopics known, String body, boolean acknowledge) throws BadAnswer {
    List<KnownTopics.Change> changes = known.changes(read("topic: '{t}'", body).items());
    if (acknowledge) {
      changes.forEach(known::acknowledged);
    }
    return changes.stream()
        .map(change -> change.item().topic() + ":" + change.id())
        .sorted()
        .collect(Collectors.joining(" "));
  }
}
