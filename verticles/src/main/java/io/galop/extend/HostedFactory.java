package io.galop.extend;

import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.spi.VerticleFactory;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A language that verticles can be written in: a factory of Vert.x, named in {@code
 * META-INF/services/io.vertx.core.spi.VerticleFactory}.
 */
public abstract class HostedFactory implements VerticleFactory {
  @SuppressWarnings("NullAway.Init") // Vert.x calls init when it takes the factory
  private Vertx vertx;

  /**
   * What is to be loaded.
   *
   * @param target the file or class, without the prefix
   * @param directory where a file is looked for first
   * @param galop what it is given
   * @param context of the instance
   */
  public record Opening(String target, String directory, GalopApi galop, Context context) {}

  /**
   * Looks at a file or class without running it; blocks.
   *
   * @throws ProgramException saying in a sentence what is wrong, where, and what to do
   */
  protected abstract void check(String target, String directory);

  /**
   * Loads a verticle, on the thread of its instance.
   *
   * @throws ProgramException saying in a sentence what is wrong, where, and what to do
   */
  protected abstract Program open(Opening opening);

  /**
   * Finds a file beside the configuration, in the working directory or among those in the jar.
   *
   * @throws ProgramException saying where it was looked for
   */
  protected static SourceFile find(String directory, String target) {
    try {
      return SourceFile.find(directory, target);
    } catch (IllegalArgumentException e) {
      throw new ProgramException(ErrorText.of(e));
    }
  }

  @Override
  public void init(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Before the factories of Vert.x itself, of which one has the prefix java. */
  @Override
  public int order() {
    return -1;
  }

  @Override
  public void createVerticle2(
      String name, ClassLoader loader, Promise<Callable<? extends Deployable>> made) {
    Optional<VerticleHost> host = VerticleHost.of(vertx);
    if (host.isEmpty()) {
      made.fail(new ProgramException(name + " can only be deployed in a node of Galop"));
    } else {
      made.complete(() -> new HostedVerticle(this, host.get(), name));
    }
  }
}
