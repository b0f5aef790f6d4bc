package io.galop.yaml;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A place in the configuration that takes a value.
 *
 * @param type what it takes
 * @param notes its @Doc, @Default, @Range and @Secret
 * @param path its dotted path
 * @param open the bricks by word of types that are not sealed, as their bricks are elsewhere
 */
public record Slot(
    Type type, AnnotatedElement notes, String path, Map<Class<?>, Map<String, Class<?>>> open) {

  public static Slot root(Class<?> record) {
    return root(record, Map.of());
  }

  public static Slot root(Class<?> record, Map<Class<?>, Map<String, Class<?>>> open) {
    return new Slot(record, record, "", open);
  }

  /** The type without its parameters. */
  public Class<?> raw() {
    return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
  }

  /**
   * The slot of an element of a list, a map or an Optional; the notes hold for the elements too.
   */
  public Slot element(String suffix) {
    Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
    return new Slot(arguments[arguments.length - 1], notes, path + suffix, open);
  }

  /** The slots of a record's components, by key. */
  public Map<String, Slot> keys() {
    Map<String, Slot> keys = new LinkedHashMap<>();
    for (RecordComponent component : raw().getRecordComponents()) {
      String key = path.isEmpty() ? component.getName() : path + "." + component.getName();
      keys.put(component.getName(), new Slot(component.getGenericType(), component, key, open));
    }
    return keys;
  }

  /** The slots of a brick's components, by key. */
  public Slot brick(String word) {
    Class<?> chosen = Objects.requireNonNull(bricks().get(word), word);
    return new Slot(chosen, chosen, path + "." + word, open);
  }

  /** The bricks of an open type, or those that a sealed type permits, by word. */
  public Map<String, Class<?>> bricks() {
    if (open.containsKey(raw())) {
      return open.get(raw());
    }
    Map<String, Class<?>> bricks = new LinkedHashMap<>();
    Arrays.stream(raw().getPermittedSubclasses())
        .forEach(brick -> bricks.put(brick.getAnnotation(Brick.class).value(), brick));
    return bricks;
  }

  public Optional<Value> defaultValue() {
    return share()
        .map(share -> Long.toString(bytes(share)))
        .or(() -> Optional.ofNullable(notes.getAnnotation(Default.class)).map(Default::value))
        .map(given -> new Value.Scalar(given, Value.Form.TYPED, "default"));
  }

  /** Of which memory the default is a share, if it is. */
  public Optional<Share> share() {
    return Optional.ofNullable(notes.getAnnotation(Share.class));
  }

  private long bytes(Share share) {
    long some = share.of().bytes() / share.part() / share.each();
    return Math.max((long) min(), Math.min(share.atMost(), some));
  }

  public boolean isList() {
    return List.class == raw();
  }

  public boolean isMap() {
    return Map.class == raw();
  }

  public boolean isOptional() {
    return Optional.class == raw();
  }

  public boolean isSection() {
    return raw().isRecord();
  }

  public boolean isBrick() {
    return raw().isSealed() || open.containsKey(raw());
  }

  /** Whether what is written is kept: maps, lists and texts, for somebody else to read. */
  public boolean isFree() {
    return raw() == Object.class;
  }

  /** Whether one word, number or text is due. */
  boolean isScalar() {
    return !isList() && !isMap() && !isOptional() && !isSection() && !isBrick() && !isFree();
  }

  public boolean isSecret() {
    return notes.isAnnotationPresent(Secret.class);
  }

  double min() {
    Range range = notes.getAnnotation(Range.class);
    return range == null ? Double.NEGATIVE_INFINITY : range.min();
  }

  double max() {
    Range range = notes.getAnnotation(Range.class);
    return range == null ? Double.POSITIVE_INFINITY : range.max();
  }

  /** What is allowed, as it follows "must be". */
  public String wanted() {
    return Wanted.in(this);
  }
}
