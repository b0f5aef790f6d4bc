package io.galop.extend;

import io.vertx.core.Deployable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;

/**
 * Verticles in Java, or whatever else is compiled: any class that Vert.x can deploy, in a jar in
 * {@code lib}. It is given a {@link GalopApi} where its constructor asks for one, else made without
 * anything.
 */
public final class JavaVerticleFactory extends HostedFactory {
  @Override
  public String prefix() {
    return "java";
  }

  @Override
  protected void check(String target, String directory) {
    constructor(target);
  }

  private static Constructor<?> constructor(String target) {
    Class<?> found = load(target);
    if (!Deployable.class.isAssignableFrom(found) || Modifier.isAbstract(found.getModifiers())) {
      throw new ProgramException(
          "%s cannot be deployed: it must be a class that extends io.vertx.core.VerticleBase"
              .formatted(target));
    }
    for (Class<?>[] parameters : new Class<?>[][] {{GalopApi.class}, {}}) {
      try {
        return found.getConstructor(parameters);
      } catch (NoSuchMethodException e) {
        // Then the next.
      }
    }
    throw new ProgramException(
        "%s cannot be made: it needs a public constructor with a GalopApi, or without anything"
            .formatted(target));
  }

  private static Class<?> load(String target) {
    LibJars jars = LibJars.shared();
    try {
      return Class.forName(target, false, jars.loader());
    } catch (ClassNotFoundException e) {
      throw new ProgramException("there is no class %s; %s".formatted(target, jars.described()));
    } catch (LinkageError e) {
      throw new ProgramException("%s cannot be loaded: %s".formatted(target, e));
    }
  }

  @Override
  protected Program open(Opening opening) {
    Constructor<?> constructor = constructor(opening.target());
    try {
      Object made =
          constructor.getParameterCount() == 0
              ? constructor.newInstance()
              : constructor.newInstance(opening.galop());
      return new JavaProgram((Deployable) made, opening.context());
    } catch (InvocationTargetException e) {
      throw new ProgramException(
          Failures.inWords(e.getTargetException(), constructor.getDeclaringClass(), ""));
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new ProgramException(opening.target() + " cannot be made: " + e);
    }
  }
}
