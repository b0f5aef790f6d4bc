package io.galop.ingest.tcp;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The messages as the packed record.proto has them, so that a client made from it is understood.
 */
public final class RecordProto {
  private static final Pattern MESSAGE =
      Pattern.compile("message (\\w+) \\{(.*?)\\n\\}", Pattern.DOTALL);
  private static final Pattern FIELD =
      Pattern.compile("(?m)^  (repeated |optional |)(\\w+) (\\w+) = (\\d+);");

  private final FileDescriptor file;

  public RecordProto() throws IOException, DescriptorValidationException {
    // Proto2 is the same on the wire, and every field of it knows whether it was set.
    FileDescriptorProto.Builder builder = FileDescriptorProto.newBuilder().setSyntax("proto2");
    try (InputStream in = RecordProto.class.getResourceAsStream("/record.proto")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Matcher messages = MESSAGE.matcher(text);
      while (messages.find()) {
        builder.addMessageType(message(messages.group(1), messages.group(2)));
      }
    }
    file = FileDescriptor.buildFrom(builder.build(), new FileDescriptor[0]);
  }

  private static DescriptorProto message(String name, String body) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    Matcher fields = FIELD.matcher(body);
    while (fields.find()) {
      FieldDescriptorProto.Builder field = message.addFieldBuilder();
      field.setName(fields.group(3)).setNumber(Integer.parseInt(fields.group(4)));
      boolean repeated = fields.group(1).equals("repeated ");
      field.setLabel(repeated ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL);
      String type = fields.group(2);
      if (Character.isUpperCase(type.charAt(0))) {
        field.setType(Type.TYPE_MESSAGE).setTypeName(type);
      } else {
        field.setType(Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)));
      }
    }
    return message.build();
  }

  DynamicMessage.Builder message(String name) {
    return DynamicMessage.newBuilder(file.findMessageTypeByName(name));
  }

  /** A message of texts, numbers, bytes and messages by field name; lists are repeated fields. */
  public DynamicMessage message(String name, Object... namesAndValues) {
    DynamicMessage.Builder builder = message(name);
    Descriptor type = builder.getDescriptorForType();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.setField(type.findFieldByName((String) namesAndValues[i]), namesAndValues[i + 1]);
    }
    return builder.build();
  }

  public static Object get(DynamicMessage message, String field) {
    return message.getField(message.getDescriptorForType().findFieldByName(field));
  }
}
