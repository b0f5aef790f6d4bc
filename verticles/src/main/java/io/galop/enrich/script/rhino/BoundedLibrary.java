package io.galop.enrich.script.rhino;

import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * Rhino's own functions do not look whether a call has to end. Those that work through an array, or
 * make a long text, refuse what would keep them busy for long or take the node's memory.
 */
final class BoundedLibrary {
  private static final double MAX_LENGTH = 1_000_000;
  private static final double MAX_CHARS = 16 << 20;

  /** What does not work through an array, and its constructor. */
  private static final Set<String> AT_THE_END = Set.of("push", "pop", "at", "constructor");

  private BoundedLibrary() {}

  static void install(ScriptableObject scope) {
    ScriptableObject arrays = (ScriptableObject) ScriptableObject.getArrayPrototype(scope);
    for (Object name : arrays.getAllIds()) {
      if (name instanceof String text && !AT_THE_END.contains(text)) {
        bound(arrays, text, MAX_LENGTH, (self, args) -> Math.max(length(self), longest(args)));
      }
    }
    bound(member(scope, "Array"), "from", MAX_LENGTH, (self, args) -> longest(args));
    bound(prototype(scope, "Function"), "apply", MAX_LENGTH, (self, args) -> longest(args));
    for (String name : new String[] {"apply", "construct"}) {
      bound(member(scope, "Reflect"), name, MAX_LENGTH, (self, args) -> longest(args));
    }
    ScriptableObject texts = prototype(scope, "String");
    bound(texts, "repeat", MAX_CHARS, (self, args) -> chars(self) * number(args));
    bound(texts, "padStart", MAX_CHARS, (self, args) -> number(args));
    bound(texts, "padEnd", MAX_CHARS, (self, args) -> number(args));
  }

  private static ScriptableObject member(Scriptable of, String name) {
    return (ScriptableObject) ScriptableObject.getProperty(of, name);
  }

  private static ScriptableObject prototype(Scriptable scope, String name) {
    return member(member(scope, name), "prototype");
  }

  private static void bound(
      ScriptableObject on, String name, double most, ToDoubleBiFunction<Object, Object[]> size) {
    if (ScriptableObject.getProperty(on, name) instanceof Callable own) {
      on.defineProperty(name, new Bounded(name, own, most, size), ScriptableObject.DONTENUM);
    }
  }

  private static double longest(Object[] args) {
    double longest = 0;
    for (Object one : args) {
      longest = Math.max(longest, length(one));
    }
    return longest;
  }

  /** As Rhino reads it: a text or an array is a number too, and what is none counts as 0. */
  private static double length(Object of) {
    if (of instanceof NativeArray array) {
      return array.getLength();
    }
    if (of instanceof Scriptable other && !(of instanceof Callable)) {
      Object length = ScriptableObject.getProperty(other, "length");
      double number = length == Scriptable.NOT_FOUND ? 0 : ScriptRuntime.toNumber(length);
      return Double.isNaN(number) ? 0 : number;
    }
    return 0;
  }

  /** A text that a function is called on is an object of Rhino's by now. */
  private static double chars(Object text) {
    return ScriptRuntime.toString(text).length();
  }

  private static double number(Object[] args) {
    return args.length > 0 ? ScriptRuntime.toNumber(args[0]) : 0;
  }

  /** A function of Rhino's behind a bound. */
  private static final class Bounded extends BaseFunction {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final transient Callable own;
    private final double most;
    private final transient ToDoubleBiFunction<Object, Object[]> size;

    Bounded(String name, Callable own, double most, ToDoubleBiFunction<Object, Object[]> size) {
      this.name = name;
      this.own = own;
      this.most = most;
      this.size = size;
      if (own instanceof BaseFunction function) {
        setPrototype(function.getPrototype());
        setParentScope(function.getParentScope());
      }
    }

    @Override
    public Object call(Context cx, Scriptable scope, Scriptable self, Object[] args) {
      double wanted = size.applyAsDouble(self, args);
      if (wanted > most) {
        throw ScriptRuntime.constructError(
            "RangeError", "%s of %.0f, more than %.0f, is refused".formatted(name, wanted, most));
      }
      return own.call(cx, scope, self, args);
    }

    @Override
    public String getFunctionName() {
      return name;
    }
  }
}
