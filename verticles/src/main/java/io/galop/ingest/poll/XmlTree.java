package io.galop.ingest.poll;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * XML as the tree of {@link JsonTree}: an element is the object of its attributes ({@code @name})
 * and children, its own text {@code #text}; one that has only text is the text, or a number where
 * its name is listed; one that is repeated is a list; nil is null. Prefixes of names are left out.
 * A document type, and with it every entity of its own, is refused.
 */
final class XmlTree {
  private static final String SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";
  private static final String TEXT = "#text";
  private static final int MAX_DEPTH = 200;

  private static final class Element {
    private final String name;
    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private boolean nil;

    private Element(String name) {
      this.name = name;
    }
  }

  private final Set<String> numbers;
  private final Set<String> lists;
  private final Deque<Element> open = new ArrayDeque<>();

  private XmlTree(Set<String> numbers, Set<String> lists) {
    this.numbers = numbers;
    this.lists = lists;
  }

  /**
   * Reads a document.
   *
   * @param numbers names of elements and attributes whose text is a number
   * @param lists names of elements that are lists also where there is one
   * @return an object with one field, the root
   */
  static Object read(byte[] xml, Set<String> numbers, Set<String> lists) throws BadAnswer {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new ByteArrayInputStream(xml));
      return new XmlTree(numbers, lists).read(reader);
    } catch (XMLStreamException e) {
      String place =
          e.getLocation() == null
              ? ""
              : " at line %d, column %d"
                  .formatted(e.getLocation().getLineNumber(), e.getLocation().getColumnNumber());
      throw new BadAnswer("the answer is no XML: it breaks the grammar" + place);
    }
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("nothing is fetched");
        });
    return factory;
  }

  private Object read(XMLStreamReader reader) throws XMLStreamException, BadAnswer {
    Element document = new Element("");
    open.push(document);
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> start(reader);
        case XMLStreamConstants.END_ELEMENT -> end();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
            open.peek().text.append(reader.getText());
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
            throw new BadAnswer("the answer has a document type, which is refused");
        default -> {
          // comments and instructions say nothing
        }
      }
    }
    return document.fields;
  }

  private void start(XMLStreamReader reader) throws BadAnswer {
    if (open.size() > MAX_DEPTH) {
      throw new BadAnswer("the answer is nested more than " + MAX_DEPTH + " deep");
    }
    Element element = new Element(reader.getLocalName());
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String name = reader.getAttributeLocalName(i);
      if (!SCHEMA_INSTANCE.equals(reader.getAttributeNamespace(i))) {
        element.fields.put("@" + name, scalar(name, reader.getAttributeValue(i)));
      } else if (name.equals("nil")) {
        element.nil = List.of("true", "1").contains(reader.getAttributeValue(i).strip());
      }
    }
    open.push(element);
  }

  private void end() {
    Element element = open.pop();
    add(open.peek().fields, element.name, value(element));
  }

  /** Null for an element that is nil. */
  private @Nullable Object value(Element element) {
    String text = element.text.toString().strip();
    if (element.nil) {
      return null;
    }
    if (element.fields.isEmpty()) {
      return scalar(element.name, text);
    }
    if (!text.isEmpty()) {
      element.fields.put(TEXT, scalar(element.name, text));
    }
    return element.fields;
  }

  private Object scalar(String name, String text) {
    String value = text.strip();
    return numbers.contains(name) && JsonNumber.isNumber(value) ? new JsonNumber(value) : value;
  }

  @SuppressWarnings("unchecked")
  private void add(Map<String, @Nullable Object> fields, String name, @Nullable Object value) {
    if (fields.get(name) instanceof List<?> list) {
      ((List<@Nullable Object>) list).add(value);
    } else if (fields.containsKey(name) || lists.contains(name)) {
      List<@Nullable Object> list = new ArrayList<>();
      if (fields.containsKey(name)) {
        list.add(fields.get(name));
      }
      list.add(value);
      fields.put(name, list);
    } else {
      fields.put(name, value);
    }
  }
}
