package io.galop.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.run.Bars;
import io.galop.loadtest.run.Findings;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class BarChartTest {
  private static Bars bars(Object... labelsAndValues) {
    Map<String, Double> values = new LinkedHashMap<>();
    for (int i = 0; i < labelsAndValues.length; i += 2) {
      values.put((String) labelsAndValues[i], ((Number) labelsAndValues[i + 1]).doubleValue());
    }
    return new Bars("p99", "ms", values);
  }

  private static Document picture(Bars... bars) throws Exception {
    Findings findings = Findings.of(List.of(), Map.of(), List.of(), List.of(bars), true);
    InputSource svg = new InputSource(new StringReader(Picture.of(findings)));
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg);
  }

  /** Without the background. */
  private static List<Double> widths(Document picture) {
    List<Double> widths = new ArrayList<>();
    NodeList all = picture.getElementsByTagName("rect");
    for (int i = 1; i < all.getLength(); i++) {
      widths.add(Double.parseDouble(((Element) all.item(i)).getAttribute("width")));
    }
    return widths;
  }

  @Test
  void barsAreAsLongAsTheirValues() throws Exception {
    Document picture = picture(bars("RAM", 10, "store", 40, "nothing", 0, "unknown", Double.NaN));
    List<Double> widths = widths(picture);
    assertEquals(4, widths.size());
    assertEquals(widths.get(1), 4 * widths.get(0), 0.5);
    assertTrue(widths.get(1) > 300, widths.toString());
    assertEquals(List.of(0.0, 0.0), widths.subList(2, 4));
    String text = picture.getDocumentElement().getTextContent();
    assertTrue(text.contains("p99, ms") && text.contains("10.0") && text.contains("none"), text);
  }

  @Test
  void labelsAreText() throws Exception {
    Document picture = picture(bars("a < b & c", 1));
    assertTrue(picture.getDocumentElement().getTextContent().contains("a < b & c"));
  }

  @Test
  void severalStandBelowOneAnother() throws Exception {
    Bars one = bars("a", 1, "b", 2);
    Document picture = picture(one, one);
    String box = picture.getDocumentElement().getAttribute("viewBox");
    assertEquals("0 0 " + Plot.WIDTH + " " + 2 * BarChart.height(one), box);
    Element second = (Element) picture.getElementsByTagName("g").item(1);
    assertEquals("translate(0 " + BarChart.height(one) + ")", second.getAttribute("transform"));
    assertFalse(BarChart.figure(one).contains("null"));
  }

  @Test
  void withoutAnythingThereIsNoPicture() {
    assertEquals("", Picture.of(Findings.of(List.of(), Map.of(), List.of(), List.of(), true)));
  }
}
