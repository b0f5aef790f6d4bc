package io.galop.expression;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values on their way into expressions and out of them. Each is converted once: parts that were
 * converted before are taken as they are, and know how large they are, so that a list which holds
 * another twice, and so on, is found to be too large without being looked through.
 */
public final class CelValues {
  /** Above this a size is only known to be above. */
  private static final long HUGE = 1L << 40;

  private CelValues() {}

  /** What expressions are shown of a plain value. */
  public static Object shown(@Nullable Object value) {
    if (value == null) {
      return NullValue.NULL_VALUE;
    } else if (value instanceof CelMap || value instanceof CelList || value instanceof String) {
      return value;
    } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    } else if (value instanceof Float) {
      return Double.valueOf(value.toString());
    } else if (value instanceof Map<?, ?> map) {
      return CelMap.view(map);
    } else if (value instanceof List<?> list) {
      return CelList.of(list);
    }
    return value;
  }

  /** Shows a map of plain values with texts as keys; what changes in it is seen. */
  public static Object view(Map<?, ?> map) {
    return CelMap.view(map);
  }

  static long weight(Object shown) {
    if (shown instanceof CelMap map) {
      return map.weight();
    } else if (shown instanceof CelList list) {
      return list.weight();
    }
    return shown instanceof String text ? 1 + text.length() : 1;
  }

  static long sum(long a, long b) {
    return Math.min(HUGE, a + b);
  }

  static boolean holdsNull(Object shown) {
    return shown == NullValue.NULL_VALUE
        || shown instanceof CelMap map && map.holdsNull()
        || shown instanceof CelList list && list.holdsNull();
  }

  /**
   * A value of an expression that later ones may use and that nothing changes any more: what is a
   * view of a map becomes a copy.
   *
   * @param value what {@link Expression#value} gave; an optional is kept as one
   * @param most values and characters that it may hold
   * @throws ExpressionFailure if it is larger, or nothing that JSON knows
   */
  public static Object frozen(Object value, long most) throws ExpressionFailure {
    if (value instanceof Optional<?> optional) {
      return optional.isPresent() ? Optional.of(frozen(optional.get(), most)) : value;
    }
    Object frozen = copy(value, most);
    checkWeight(weight(frozen), most);
    return frozen;
  }

  private static Object copy(Object value, long most) throws ExpressionFailure {
    if (value instanceof CelMap map && map.isFrozen()
        || value instanceof CelList list && !list.holdsView()) {
      return value;
    } else if (value instanceof Map<?, ?> map) {
      CelMap to = CelMap.frozen();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        to.put(String.valueOf(entry.getKey()), copy(entry.getValue(), most));
        checkWeight(to.weight(), most);
      }
      return to;
    } else if (value instanceof Collection<?> listed) {
      CelList to = new CelList();
      for (Object element : listed) {
        to.add(copy(element, most));
        checkWeight(to.weight(), most);
      }
      return to;
    }
    return scalar(value);
  }

  private static void checkWeight(long weight, long most) throws ExpressionFailure {
    if (weight > most) {
      throw new ExpressionFailure(
          "the value is too large: more than " + most + " values and characters");
    }
  }

  private static Object scalar(Object value) throws ExpressionFailure {
    if (value instanceof UnsignedLong number) {
      return number.bigIntegerValue();
    }
    boolean isOdd =
        value instanceof Instant
            || value instanceof Duration
            || value instanceof CelByteString
            || value instanceof TypeType
            || value instanceof Optional<?>;
    if (isOdd || !(value instanceof String || value instanceof Number || isWord(value))) {
      throw new ExpressionFailure(
          "the value holds a "
              + value.getClass().getSimpleName()
              + ", which JSON cannot hold; make it a text with string(…), or an optional's value with orValue(…)");
    }
    return value;
  }

  private static boolean isWord(Object value) {
    return value instanceof Boolean || value == NullValue.NULL_VALUE;
  }

  /**
   * Maps, lists and scalars of the JDK for a frozen value; the value itself where no null is in it.
   */
  public static @Nullable Object plain(Object frozen) {
    if (!holdsNull(frozen)) {
      return frozen;
    } else if (frozen instanceof CelMap map) {
      Map<String, @Nullable Object> to = new LinkedHashMap<>();
      map.forEach((key, value) -> to.put(key, value == null ? null : plain(value)));
      return to;
    } else if (frozen instanceof CelList list) {
      List<@Nullable Object> to = new ArrayList<>(list.size());
      list.forEach(value -> to.add(value == null ? null : plain(value)));
      return to;
    }
    return null;
  }
}
