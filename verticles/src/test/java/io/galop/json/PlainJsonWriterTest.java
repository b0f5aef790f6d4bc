package io.galop.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.json.NotJson.Why;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import org.junit.jupiter.api.Test;

class PlainJsonWriterTest {
  private final PlainJsonWriter writer = new PlainJsonWriter(5, 100);

  private String written(Object value) throws NotJson {
    return writer.text(Map.of("a", value));
  }

  private NotJson refused(Object value) {
    return assertThrows(NotJson.class, () -> written(value));
  }

  @Test
  void plainValuesAreWrittenInTheirOrder() throws Exception {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("z", new Object[] {null, true, 'c', new StringBuilder("text")});
    map.put(5, Map.of());
    map.put("a", Arrays.asList(List.of(), "é\u0001\"\\\n\ud83d\ude00"));
    String json =
        "{\"z\":[null,true,\"c\",\"text\"],\"5\":{},\"a\":[[],\"é\\u0001\\\"\\\\\\n"
            + "\ud83d\ude00\"]}";
    assertEquals(json, writer.text(map));
    assertEquals(json, new String(writer.bytes(map), StandardCharsets.UTF_8));
    assertEquals("{\"a\":\"x\\ud83dy\"}", written("x\ud83dy"));
  }

  @Test
  void numbersOfAnyTypeHaveOneForm() throws Exception {
    Map<Number, String> forms = new LinkedHashMap<>();
    forms.put(2.0, "2");
    forms.put(-0.0, "0");
    forms.put(2.5f, "2.5");
    forms.put(0.1f, "0.1");
    forms.put(1e-7, "1e-7");
    forms.put(1e300, "1e+300");
    forms.put(123456789012345680000.0, "123456789012345680000");
    forms.put((short) -3, "-3");
    forms.put(Long.MIN_VALUE, "-9223372036854775808");
    forms.put(BigInteger.TWO.pow(70), "1180591620717411303424");
    forms.put(new BigDecimal("1E+3"), "1000");
    forms.put(new BigDecimal("2.50"), "2.5");
    forms.put(new AtomicLong(9_007_199_254_740_993L), "9007199254740993");
    DoubleAdder half = new DoubleAdder();
    half.add(0.5);
    forms.put(half, "0.5");
    for (Map.Entry<Number, String> form : forms.entrySet()) {
      assertEquals("{\"a\":" + form.getValue() + "}", written(form.getKey()));
    }
  }

  @Test
  void whatJsonCannotHoldIsRefusedWithItsPlace() {
    NotJson deep = refused(List.of(1, Map.of("b", List.of(Double.NaN))));
    assertEquals(Why.VALUE, deep.why());
    assertEquals(".a[1].b[0]", deep.path());
    assertEquals("b", deep.field());
    assertEquals("NaN", deep.what());
    assertEquals("-Infinity", refused(Float.NEGATIVE_INFINITY).what());
    NotJson object = refused(new Thread());
    assertEquals(".a", object.path());
    assertEquals("a java.lang.Thread", object.what());
  }

  @Test
  void depthAndLengthAreBounded() throws Exception {
    assertEquals("{\"a\":[[[[]]]]}", written(List.of(List.of(List.of(List.of())))));
    NotJson deep = refused(List.of(List.of(List.of(List.of(List.of())))));
    assertEquals(Why.DEPTH, deep.why());
    assertEquals("", deep.path());
    List<Object> circular = new ArrayList<>();
    circular.add(circular);
    assertEquals(Why.DEPTH, refused(circular).why());
    assertEquals(100, writer.bytes(Map.of("a", "x".repeat(92))).length);
    assertEquals(Why.LENGTH, refused("x".repeat(93)).why());
    String twoBytesEach = "é".repeat(50);
    NotJson many = assertThrows(NotJson.class, () -> writer.bytes(Map.of("a", twoBytesEach)));
    assertEquals("108", many.what());
    assertTrue(written(List.of(1)).endsWith("[1]}"), "goes on after a failure");
  }
}
