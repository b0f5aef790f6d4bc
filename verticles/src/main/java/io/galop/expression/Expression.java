package io.galop.expression;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;

/** A compiled expression; immutable, for any thread. */
public final class Expression {
  private final CelRuntime.Program program;

  Expression(CelRuntime.Program program) {
    this.program = program;
  }

  /**
   * Evaluates it. A thread that is interrupted ends the evaluation where it looks for a variable.
   *
   * @return a text, a number, a boolean, a map, a list, an {@link java.util.Optional} of these, or
   *     what {@link CelValues#frozen} refuses
   * @throws ExpressionFailure saying at which column what is wrong
   */
  public Object value(ExpressionVariables variables) throws ExpressionFailure {
    try {
      return program.eval(
          name -> {
            if (Thread.currentThread().isInterrupted()) {
              throw new IllegalStateException("it was ended");
            }
            return variables.find(name);
          });
    } catch (CelEvaluationException e) {
      throw new ExpressionFailure(Expressions.plainWords(String.valueOf(e.getMessage())));
    } catch (StackOverflowError e) {
      throw new ExpressionFailure("a value is nested too deeply");
    }
  }

  /**
   * Whether it is true.
   *
   * @throws ExpressionFailure also if it is neither true nor false
   */
  public boolean isTrue(ExpressionVariables variables) throws ExpressionFailure {
    if (value(variables) instanceof Boolean is) {
      return is;
    }
    throw new ExpressionFailure("the value is neither true nor false");
  }
}
