package io.galop.kotlin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The classes of one loaded file, so that its variables are its own. */
public final class KotlinClasses extends ClassLoader {
  /** The class that holds the functions of the file. */
  static final String MAIN = "GalopScript";

  private final Map<String, byte[]> classes;

  /**
   * @param classes name → byte code
   */
  public KotlinClasses(Map<String, byte[]> classes, ClassLoader parent) {
    super(parent);
    this.classes = classes;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] code = classes.get(name);
    if (code == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] checked = TimeChecks.into(code);
    return defineClass(name, checked, 0, checked.length);
  }

  /** The class with the functions of the file; not initialised. */
  public Class<?> main() {
    try {
      return Class.forName(MAIN, false, this);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the compiler made no class " + MAIN, e);
    }
  }

  /**
   * Runs what gives the variables of the file their values.
   *
   * @return null: the functions are static
   */
  public @Nullable Object initialise(Class<?> main) throws Exception {
    try {
      Class.forName(main.getName(), true, this);
      return null;
    } catch (ExceptionInInitializerError e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
