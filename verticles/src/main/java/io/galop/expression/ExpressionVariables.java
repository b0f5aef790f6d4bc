package io.galop.expression;

import java.util.Optional;

/** What an expression finds by name; see {@link Expression#value}. */
@FunctionalInterface
public interface ExpressionVariables {
  /** A variable's value, as {@link CelValues} shows it; empty if there is none now. */
  Optional<Object> find(String name);
}
