package io.galop.enrich;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.path.PathType;
import io.galop.enrich.StepFile.FaultyText;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12, which holds where it does not name one. A
 * {@code $ref} leads within the file only: nothing is fetched. {@code format} is checked.
 * Immutable.
 */
final class DataSchema {
  private static final int MAX_VIOLATIONS = 3;

  /** Beyond what a double holds; a comparison of larger ones would write out all their digits. */
  private static final int MOST_SCALE = 400;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .nodeFactory(new BoundedNumbers())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final SchemaRegistryConfig SETTINGS =
      SchemaRegistryConfig.builder()
          .pathType(PathType.JSON_POINTER)
          .formatAssertionsEnabled(true)
          .regularExpressionFactory(BoundedPattern::new)
          .preloadSchema(true)
          .locale(Locale.ENGLISH)
          .build();

  private final Schema schema;

  private DataSchema(Schema schema) {
    this.schema = schema;
  }

  /**
   * Reads a schema, and checks it against the schema of its draft.
   *
   * @throws FaultyText naming the place, as line or JSON pointer, and the rule
   */
  static DataSchema parse(String text) {
    JsonNode node = tree(text);
    BoundedPattern.begin(text.length());
    if (!node.isObject() && !node.isBoolean()) {
      throw new FaultyText("line 1", "a JSON Schema is an object, or true or false");
    }
    SchemaRegistry registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, made -> made.schemaRegistryConfig(SETTINGS));
    try {
      checkAgainstDraft(registry, node);
      Schema schema = registry.getSchema(node);
      schema.initializeValidators();
      return new DataSchema(schema);
    } catch (SchemaException e) {
      throw new FaultyText("the schema", String.valueOf(e.getMessage()));
    }
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      String rule = e.getOriginalMessage().replaceFirst(" \\(start marker.*", "");
      throw new FaultyText("line " + e.getLocation().getLineNr(), rule);
    }
  }

  private static void checkAgainstDraft(SchemaRegistry registry, JsonNode node) {
    JsonNode named = node.path("$schema");
    String draft = named.isTextual() ? named.textValue() : Dialects.getDraft202012().getId();
    List<Error> errors = registry.getSchema(SchemaLocation.of(draft)).validate(node);
    if (!errors.isEmpty()) {
      Error first = errors.get(0);
      throw new FaultyText("at " + place(first), first.getMessage());
    }
  }

  /** The draft of the schema, as its address. */
  String dialect() {
    return schema.getSchemaContext().getDialect().getId();
  }

  /**
   * What breaks the schema, a sentence with JSON pointers into the data; empty if nothing does.
   *
   * @param data JSON in UTF-8
   */
  Optional<String> violation(byte[] data) {
    List<Error> errors;
    BoundedPattern.begin(data.length);
    try {
      errors = schema.validate(JSON.readTree(data));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // What the library or a pattern throws is of this record: the Batch must not fail for it,
      // as its sender would send it again for ever.
      String why = e instanceof StackOverflowError ? "it goes too deep" : ErrorText.of(e);
      return Optional.of("the schema cannot be applied: " + why);
    }
    return errors.isEmpty()
        ? Optional.empty()
        : Optional.of(
            errors.stream()
                .limit(MAX_VIOLATIONS)
                .map(error -> "at " + place(error) + ": " + error.getMessage())
                .collect(Collectors.joining("; ")));
  }

  /** Keeps numbers to what can be counted with. */
  private static final class BoundedNumbers extends JsonNodeFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public ValueNode numberNode(BigDecimal number) {
      if (Math.abs((long) number.scale()) > MOST_SCALE + (long) number.precision()) {
        throw new IllegalArgumentException(
            "a number has an exponent beyond " + MOST_SCALE + " or below -" + MOST_SCALE);
      }
      return super.numberNode(number);
    }
  }

  private static String place(Error error) {
    String pointer = error.getInstanceLocation().toString();
    return pointer.isEmpty() ? "the top" : pointer;
  }
}
