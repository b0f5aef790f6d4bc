package io.galop.config;

import io.galop.yaml.ConfigException;
import io.galop.yaml.Secret;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * One difference between two configurations, both as they are in force, defaults included.
 *
 * @param path dotted; a list and the choice of a brick are compared as a whole
 * @param from in one line of YAML, secrets masked
 * @param to the same of the other configuration
 */
public record ConfigDiff(String path, String from, String to) {

  /** All differences, in the order of the documentation. */
  public static List<ConfigDiff> between(GalopConfig before, GalopConfig after) {
    List<ConfigDiff> found = new ArrayList<>();
    compare("", before, after, found);
    return List.copyOf(found);
  }

  /**
   * The same of two parts.
   *
   * @param path of both, dotted
   * @param after of the same class
   */
  public static <T extends Record> List<ConfigDiff> between(String path, T before, T after) {
    List<ConfigDiff> found = new ArrayList<>();
    compare(path + '.', before, after, found);
    return List.copyOf(found);
  }

  private static void compare(String prefix, Object before, Object after, List<ConfigDiff> found) {
    for (RecordComponent component : before.getClass().getRecordComponents()) {
      Object from = value(component, before);
      Object to = value(component, after);
      String path = prefix + component.getName();
      if (from.equals(to)) {
        continue;
      }
      if (component.getType().isRecord()) {
        compare(path + '.', from, to, found);
      } else {
        boolean isSecret = component.isAnnotationPresent(Secret.class);
        found.add(
            new ConfigDiff(path, ConfigYaml.line(from, isSecret), ConfigYaml.line(to, isSecret)));
      }
    }
  }

  /**
   * The one configuration, with some paths as in the other one.
   *
   * @param taken says of the path of a difference whether it comes from {@code after}
   * @throws ConfigException if the mixture breaks a rule that each of both keeps
   */
  public static GalopConfig merged(GalopConfig before, GalopConfig after, Predicate<String> taken) {
    List<String> problems = new ArrayList<>();
    GalopConfig merged = (GalopConfig) merge("", before, after, taken);
    ConfigRules.check(merged, (path, rule) -> problems.add(path + ": " + rule));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return merged;
  }

  private static Object merge(String prefix, Object before, Object after, Predicate<String> taken) {
    RecordComponent[] components = before.getClass().getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      Object from = value(components[i], before);
      Object to = value(components[i], after);
      String path = prefix + components[i].getName();
      if (components[i].getType().isRecord()) {
        values[i] = merge(path + '.', from, to, taken);
      } else {
        values[i] = !from.equals(to) && taken.test(path) ? to : from;
      }
    }
    return made(prefix, before.getClass(), components, values);
  }

  private static Object made(
      String prefix, Class<?> type, RecordComponent[] components, Object[] values) {
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new ConfigException(List.of(prefix + "*: " + why.getMessage()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  private static Object value(RecordComponent component, Object record) {
    return ConfigYaml.valueOf(component, record);
  }
}
