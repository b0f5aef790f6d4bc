package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import io.galop.expression.CelValues;
import io.galop.expression.Expression;
import io.galop.expression.ExpressionFailure;
import java.util.Optional;

/**
 * An expression of a mapping.
 *
 * @param place where it stands
 */
record Field(Expression expression, MappingPlace place) {
  /** Values and characters that one value may hold. */
  private static final long MOST = 1_000_000;

  boolean isTrue(MappingCall call) throws ScriptFailure {
    call.spend(place);
    try {
      return expression.isTrue(call);
    } catch (ExpressionFailure e) {
      throw place.failure(e.detail());
    }
  }

  /** A value that nothing changes any more; may be an optional. */
  Object value(MappingCall call) throws ScriptFailure {
    call.spend(place);
    try {
      return CelValues.frozen(expression.value(call), MOST);
    } catch (ExpressionFailure e) {
      throw place.failure(e.detail());
    }
  }

  /** Empty for an optional without a value. */
  Optional<Object> present(MappingCall call) throws ScriptFailure {
    Object value = value(call);
    return value instanceof Optional<?> optional ? optional.map(v -> v) : Optional.of(value);
  }

  /** A text, or a whole number as one. */
  String key(MappingCall call) throws ScriptFailure {
    Object value = value(call);
    if (value instanceof String || value instanceof Long) {
      return value.toString();
    }
    throw place.failure("a key must be a text or a whole number");
  }
}
