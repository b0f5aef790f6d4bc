package io.galop.expression;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction.Overload.Arithmetic;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import java.util.Optional;
import java.util.Set;

/**
 * What CEL leaves out for expressions of somebody who is not trusted. None of their values may be
 * larger than the record or what is written there: a loop over a list of one gives a name to a
 * value, so whatever is put together of two could be doubled with each loop.
 */
final class Untrusted {
  private static final Set<Arithmetic> DECLARED_SUMS =
      Set.of(Arithmetic.ADD_STRING, Arithmetic.ADD_BYTES, Arithmetic.ADD_LIST);
  private static final Set<AddOverload> SUMS =
      Set.of(AddOverload.ADD_STRING, AddOverload.ADD_BYTES, AddOverload.ADD_LIST);
  private static final Set<Kind> WRITTEN = Set.of(Kind.CONSTANT, Kind.LIST, Kind.MAP);

  /** For the compiler, which can say where the expression is wrong. */
  static final CelStandardDeclarations DECLARATIONS =
      CelStandardDeclarations.newBuilder()
          .filterFunctions(
              (function, overload) ->
                  function != CelStandardDeclarations.StandardFunction.MATCHES
                      && !DECLARED_SUMS.contains(overload))
          .build();

  /** For the evaluation, since the compiler does not know the types in data. */
  static final CelStandardFunctions FUNCTIONS =
      CelStandardFunctions.newBuilder()
          .filterFunctions(
              (function, overload) ->
                  function != CelStandardFunctions.StandardFunction.MATCHES
                      && !SUMS.contains(overload))
          .build();

  private Untrusted() {}

  /**
   * @throws ExpressionFailure if a list or map is made of anything but constants
   */
  static void check(CelAbstractSyntaxTree ast) throws ExpressionFailure {
    Optional<CelNavigableExpr> made =
        CelNavigableAst.fromAst(ast).getRoot().allNodes().filter(Untrusted::isMade).findFirst();
    if (made.isPresent()) {
      Integer offset = ast.getSource().getPositionsMap().get(made.get().id());
      var at = ast.getSource().getOffsetLocation(offset == null ? 0 : offset).orElseThrow();
      throw Expressions.failure(at, "a list or map that is written here may have constants only");
    }
  }

  private static boolean isMade(CelNavigableExpr node) {
    return switch (node.getKind()) {
      case LIST, MAP -> node.descendants().anyMatch(part -> !WRITTEN.contains(part.getKind()));
      case STRUCT -> true;
      default -> false;
    };
  }
}
