package io.galop.persist.mongo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** JSON as a document of MongoDB's and back. */
final class JsonDocument {
  /** The server takes 100 levels, those of the record around the data included. */
  private static final int MOST_LEVELS = 90;

  private static final JsonFactory JSON = new JsonFactory();

  private JsonDocument() {}

  /**
   * The document; null where there is none: names that MongoDB keeps for itself or that stand
   * twice, too many levels, numbers beyond all measure.
   */
  static @Nullable BsonDocument read(byte[] json) {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      return object(parser, 1);
    } catch (NotADocument | IOException | NumberFormatException e) {
      return null;
    }
  }

  private static BsonDocument object(JsonParser parser, int level)
      throws IOException, NotADocument {
    BsonDocument object = new BsonDocument();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      boolean reserved = name.startsWith("$") || name.indexOf('.') >= 0 || name.indexOf(0) >= 0;
      parser.nextToken();
      if (reserved || object.put(name, value(parser, level)) != null) {
        throw new NotADocument();
      }
    }
    return object;
  }

  private static BsonValue value(JsonParser parser, int level) throws IOException, NotADocument {
    if (level > MOST_LEVELS) {
      throw new NotADocument();
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, level + 1);
      case START_ARRAY -> array(parser, level + 1);
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> fraction(parser);
      case VALUE_TRUE -> BsonBoolean.TRUE;
      case VALUE_FALSE -> BsonBoolean.FALSE;
      case VALUE_NULL -> BsonNull.VALUE;
      default -> new BsonString(parser.getText());
    };
  }

  private static BsonArray array(JsonParser parser, int level) throws IOException, NotADocument {
    BsonArray array = new BsonArray();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, level));
    }
    return array;
  }

  private static BsonValue whole(JsonParser parser) throws IOException, NotADocument {
    return switch (parser.getNumberType()) {
      case INT -> new BsonInt32(parser.getIntValue());
      case LONG -> new BsonInt64(parser.getLongValue());
      default -> fraction(parser);
    };
  }

  private static BsonValue fraction(JsonParser parser) throws IOException, NotADocument {
    double value = parser.getDoubleValue();
    if (!Double.isFinite(value)) {
      throw new NotADocument();
    }
    return new BsonDouble(value);
  }

  /** The JSON, without white space. */
  static byte[] write(BsonDocument document) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      write(json, document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, BsonValue value) throws IOException {
    switch (value.getBsonType()) {
      case DOCUMENT -> {
        json.writeStartObject();
        for (Map.Entry<String, BsonValue> entry : value.asDocument().entrySet()) {
          json.writeFieldName(entry.getKey());
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case ARRAY -> {
        json.writeStartArray();
        for (BsonValue item : value.asArray()) {
          write(json, item);
        }
        json.writeEndArray();
      }
      case INT32 -> json.writeNumber(value.asInt32().getValue());
      case INT64 -> json.writeNumber(value.asInt64().getValue());
      case DOUBLE -> json.writeNumber(value.asDouble().getValue());
      case BOOLEAN -> json.writeBoolean(value.asBoolean().getValue());
      case STRING -> json.writeString(value.asString().getValue());
      default -> json.writeNull();
    }
  }

  /** The JSON is no document of MongoDB's. */
  private static final class NotADocument extends Exception {
    private static final long serialVersionUID = 1L;

    NotADocument() {
      super("not a document", null, false, false);
    }
  }
}
