package io.galop.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelMathExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compiles expressions that know certain names: of a record {@code topic}, {@code id}, {@code time}
 * (event time, microseconds) and {@code data}, and those that are {@linkplain #with added}.
 * Immutable.
 *
 * <p>Bounds: {@value #MOST_CHARACTERS} characters, and {@value #MOST_TURNS} turns of all loops
 * ({@code map}, {@code filter}, {@code all}, …) in one evaluation. {@code replace}, {@code join}
 * and {@code format} are left out, but {@code +} still makes a long text of two short ones: what is
 * not trusted is compiled by {@link #compileUntrusted}.
 */
public final class Expressions {
  /** Longest expression. */
  public static final int MOST_CHARACTERS = 10_000;

  /** Turns of an expression's loops. */
  public static final int MOST_TURNS = 10_000;

  /** The same of an expression that {@link #compileUntrusted} made. */
  public static final int FEW_TURNS = 100;

  private static final Pattern FAILED =
      Pattern.compile("evaluation error(?: at <input>:(\\d+))?: (.*)", Pattern.DOTALL);

  /** CEL has namespaces; here there is one, without a name. */
  private static final String NO_CONTAINER = " (in container '')";

  private static final CelType OBJECT = MapType.create(SimpleType.STRING, SimpleType.DYN);
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .maxExpressionCodePointSize(MOST_CHARACTERS)
          .comprehensionMaxIterations(MOST_TURNS)
          .build();
  private static final CelStringExtensions TEXTS =
      CelExtensions.strings(
          CelStringExtensions.Function.CHAR_AT,
          CelStringExtensions.Function.INDEX_OF,
          CelStringExtensions.Function.LAST_INDEX_OF,
          CelStringExtensions.Function.LOWER_ASCII,
          CelStringExtensions.Function.UPPER_ASCII,
          CelStringExtensions.Function.SPLIT,
          CelStringExtensions.Function.SUBSTRING,
          CelStringExtensions.Function.TRIM);
  private static final CelMathExtensions MATH = CelExtensions.math();
  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(OPTIONS)
          .addLibraries(CelOptionalLibrary.INSTANCE, TEXTS, MATH)
          .build();
  private static final CelStringExtensions UNTRUSTED_TEXTS =
      CelExtensions.strings(
          CelStringExtensions.Function.CHAR_AT,
          CelStringExtensions.Function.INDEX_OF,
          CelStringExtensions.Function.LAST_INDEX_OF,
          CelStringExtensions.Function.LOWER_ASCII,
          CelStringExtensions.Function.UPPER_ASCII,
          CelStringExtensions.Function.SUBSTRING,
          CelStringExtensions.Function.TRIM);
  private static final CelRuntime UNTRUSTED_RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(OPTIONS.toBuilder().comprehensionMaxIterations(FEW_TURNS).build())
          .setStandardFunctions(Untrusted.FUNCTIONS)
          .addLibraries(CelOptionalLibrary.INSTANCE, UNTRUSTED_TEXTS, MATH)
          .build();
  private static final Expressions OF_NOTHING =
      new Expressions(
          CelCompilerFactory.standardCelCompilerBuilder()
              .setOptions(OPTIONS)
              .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
              .addLibraries(CelOptionalLibrary.INSTANCE, TEXTS, MATH)
              .build());
  private static final Expressions OF_RECORDS =
      new Expressions(ofRecords(OF_NOTHING.compiler.toCompilerBuilder()));
  private static final CelCompiler UNTRUSTED =
      ofRecords(
          CelCompilerFactory.standardCelCompilerBuilder()
              .setOptions(OPTIONS)
              .setStandardEnvironmentEnabled(false)
              .setStandardDeclarations(Untrusted.DECLARATIONS)
              .setStandardMacros(
                  CelStandardMacro.HAS,
                  CelStandardMacro.ALL,
                  CelStandardMacro.EXISTS,
                  CelStandardMacro.EXISTS_ONE)
              .addLibraries(CelOptionalLibrary.INSTANCE, UNTRUSTED_TEXTS, MATH));

  private final CelCompiler compiler;

  private Expressions(CelCompiler compiler) {
    this.compiler = compiler;
  }

  private static CelCompiler ofRecords(CelCompilerBuilder builder) {
    return builder
        .addVar("topic", SimpleType.STRING)
        .addVar("id", SimpleType.STRING)
        .addVar("time", SimpleType.INT)
        .addVar("data", OBJECT)
        .build();
  }

  /** Those that know what a record is made of. */
  public static Expressions ofRecords() {
    return OF_RECORDS;
  }

  /** Those that know no variable. */
  public static Expressions ofNothing() {
    return OF_NOTHING;
  }

  /** Those that also know a variable, of any type. */
  public Expressions with(String variable) {
    return new Expressions(compiler.toCompilerBuilder().addVar(variable, SimpleType.DYN).build());
  }

  /**
   * Compiles an expression.
   *
   * @throws ExpressionFailure saying at which line and column of it what is wrong
   */
  public Expression compile(String text) throws ExpressionFailure {
    try {
      return new Expression(RUNTIME.createProgram(parsed(compiler, text)));
    } catch (CelEvaluationException | RuntimeException e) {
      throw failure(e);
    }
  }

  /**
   * Compiles an expression that has to be true or false.
   *
   * @throws ExpressionFailure also if its value can be neither, whatever the variables are
   */
  Expression compileCondition(String text) throws ExpressionFailure {
    try {
      CelAbstractSyntaxTree ast = parsed(compiler, text);
      mustBeCondition(ast);
      return new Expression(RUNTIME.createProgram(ast));
    } catch (CelEvaluationException | RuntimeException e) {
      throw failure(e);
    }
  }

  private static void mustBeCondition(CelAbstractSyntaxTree ast) throws ExpressionFailure {
    CelType type = ast.getResultType();
    if (type.kind() != CelKind.BOOL && type.kind() != CelKind.DYN) {
      throw new ExpressionFailure(
          "a condition has to be true or false; the value of this is of type " + type.name());
    }
  }

  /**
   * Compiles a condition on records of somebody who is not trusted. Its loops turn {@value
   * #FEW_TURNS} times at most, and no value of it is larger than the record or its text: without
   * {@code map}, {@code filter}, {@code matches} and {@code split}, without {@code +} of texts,
   * bytes and lists, and with constants only in the lists and maps that are written in it.
   *
   * @throws ExpressionFailure saying at which line and column of it what is wrong
   */
  static Expression compileUntrusted(String text) throws ExpressionFailure {
    try {
      CelAbstractSyntaxTree ast = parsed(UNTRUSTED, text);
      mustBeCondition(ast);
      Untrusted.check(ast);
      return new Expression(UNTRUSTED_RUNTIME.createProgram(ast));
    } catch (CelEvaluationException | RuntimeException e) {
      throw failure(e);
    }
  }

  private static CelAbstractSyntaxTree parsed(CelCompiler compiler, String text)
      throws ExpressionFailure {
    try {
      return compiler.compile(text).getAst();
    } catch (CelValidationException e) {
      CelIssue first = e.getErrors().get(0);
      throw failure(first.getSourceLocation(), first.getMessage());
    }
  }

  static ExpressionFailure failure(CelSourceLocation at, String message) {
    String line = at.getLine() > 1 ? "line " + at.getLine() + " of the expression, " : "";
    String what = oneLine(message.replace(NO_CONTAINER, ""));
    return new ExpressionFailure("%scolumn %d: %s".formatted(line, at.getColumn() + 1, what));
  }

  private static ExpressionFailure failure(Exception e) {
    return new ExpressionFailure(oneLine(String.valueOf(e.getMessage())));
  }

  /** CEL's message for a failed evaluation, with the column as people count it. */
  static String plainWords(String message) {
    Matcher failed = FAILED.matcher(message);
    if (!failed.matches()) {
      return oneLine(message);
    }
    String column = failed.group(1);
    String what = oneLine(failed.group(2));
    return column == null ? what : "column " + (Integer.parseInt(column) + 1) + ": " + what;
  }

  private static String oneLine(String message) {
    int end = message.indexOf('\n');
    String first = end < 0 ? message : message.substring(0, end);
    return first.length() > 300 ? first.substring(0, 300) + "…" : first;
  }
}
