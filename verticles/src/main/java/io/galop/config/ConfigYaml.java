package io.galop.config;

import io.galop.yaml.Brick;
import io.galop.yaml.Secret;
import io.galop.yaml.Words;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Prints the configuration that is in force, defaults included, secrets masked. */
public final class ConfigYaml {
  private static final String MASK = "********";
  private static final DumpSettings SETTINGS =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setDereferenceAliases(true)
          .setIndicatorIndent(2)
          .setIndentWithIndicator(true)
          .build();

  private static final DumpSettings LINE =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.FLOW)
          .setDereferenceAliases(true)
          .setWidth(Integer.MAX_VALUE)
          .build();

  private ConfigYaml() {}

  /** A YAML document that means the same configuration again, save for the secrets. */
  public static String print(GalopConfig config) {
    return new Dump(SETTINGS).dumpToString(section(config));
  }

  /** A value in one line. */
  static String line(Object value, boolean isSecret) {
    Object shown = isSecret && !value.equals("") ? MASK : plain(value);
    return shown == null ? "" : new Dump(LINE).dumpToString(shown).strip();
  }

  private static Map<String, Object> section(Object record) {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = valueOf(component, record);
      boolean isMasked =
          component.isAnnotationPresent(Secret.class)
              && !value.equals("")
              && !value.equals(Optional.empty());
      Object shown = isMasked ? MASK : plain(value);
      if (shown != null) {
        entries.put(component.getName(), shown);
      }
    }
    return entries;
  }

  /** As YAML has it; null for an empty Optional, which is not printed. */
  private static @Nullable Object plain(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(ConfigYaml::plain).orElse(null);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(ConfigYaml::plain).toList();
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      map.forEach((name, entry) -> entries.put(name, plain(entry)));
      return entries;
    }
    if (value instanceof Enum<?> constant) {
      return Words.of(constant);
    }
    if (!value.getClass().isRecord()) {
      return value;
    }
    Brick brick = value.getClass().getAnnotation(Brick.class);
    return brick == null ? section(value) : Map.of(brick.value(), section(value));
  }

  static Object valueOf(RecordComponent component, Object record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " cannot be read", e);
    }
  }
}
