package io.galop.node;

import io.galop.config.GalopConfig;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The configuration in force, and the parts of a node that take another one while they run. From
 * any thread; who changes it sees to it that nobody else does meanwhile.
 */
public final class LiveConfig {

  /** A part of the node that can take another configuration without a restart. */
  public interface Part {
    /**
     * Gets ready, and changes nothing yet; called from any thread.
     *
     * @return fails with a sentence that says why the part cannot take it
     */
    Future<Prepared> prepare(GalopConfig next);
  }

  /** A part that is ready: exactly one of both is called, once, from any thread. */
  public interface Prepared {
    /** From now on the part goes by the other configuration; succeeds when all of it does. */
    Future<Void> take();

    /** The part stays as it is. */
    void leave();
  }

  private record Offer(String path, Part part) {}

  private final List<Offer> offers = new CopyOnWriteArrayList<>();
  private volatile GalopConfig current;

  /** Asked for a change that not all of them took: they may go by another than is in force. */
  private volatile Set<Offer> torn = Set.of();

  public LiveConfig(GalopConfig current) {
    this.current = current;
  }

  /** What is in force. */
  public GalopConfig current() {
    return current;
  }

  /**
   * A part takes changes from now on; several parts may take the same ones, and one part may take
   * those of several paths: it is asked once for all of them.
   *
   * @param path dotted, of a key or a section
   */
  public void offerPrepared(String path, Part part) {
    offers.add(new Offer(path, part));
  }

  /**
   * A part takes changes from now on, at once and always.
   *
   * @param taken is called from any thread
   */
  public void offer(String path, Consumer<GalopConfig> taken) {
    offerLater(
        path,
        next -> {
          taken.accept(next);
          return Future.succeededFuture();
        });
  }

  /**
   * A part takes changes from now on, always, and needs time for it.
   *
   * @param taken is called from any thread; succeeds when all of the part goes by the other one
   */
  public void offerLater(String path, Function<GalopConfig, Future<Void>> taken) {
    offerPrepared(path, next -> Future.succeededFuture(new Unprepared(() -> taken.apply(next))));
  }

  /**
   * A part takes some changes from now on, at once.
   *
   * @param check throws an {@link IllegalArgumentException} that names what the part cannot take
   */
  public void offerChecked(String path, Consumer<GalopConfig> check, Consumer<GalopConfig> taken) {
    offerPrepared(
        path,
        next -> {
          check.accept(next);
          return Future.succeededFuture(
              new Unprepared(
                  () -> {
                    taken.accept(next);
                    return Future.succeededFuture();
                  }));
        });
  }

  private record Unprepared(Supplier<Future<Void>> taken) implements Prepared {
    @Override
    public Future<Void> take() {
      return taken.get();
    }

    @Override
    public void leave() {
      // Nothing was done.
    }
  }

  /** Whether a change of the path needs no restart. */
  public boolean takes(String path) {
    return offers.stream().anyMatch(offer -> covers(offer.path(), path));
  }

  private static boolean covers(String offered, String path) {
    return path.equals(offered) || path.startsWith(offered + '.');
  }

  /** Paths of the parts that the next change asks again; empty if all took the last one. */
  public List<String> torn() {
    return torn.stream().map(Offer::path).distinct().sorted().toList();
  }

  /**
   * Lets all parts of the changed paths get ready, then take it; if one cannot, none does. Where a
   * part fails to take what it was ready for, what was in force counts as being so, and the next
   * change asks all of them again, whatever differs.
   *
   * @param changed the paths that differ
   */
  public Future<Void> change(GalopConfig next, List<String> changed) {
    List<Offer> asked =
        offers.stream()
            .filter(
                offer ->
                    torn.contains(offer)
                        || changed.stream().anyMatch(path -> covers(offer.path(), path)))
            .toList();
    List<Future<Prepared>> preparing =
        asked.stream()
            .map(Offer::part)
            .distinct()
            .map(part -> settled(() -> part.prepare(next)))
            .toList();
    return Future.join(preparing)
        .onFailure(failure -> leave(preparing))
        .compose(ready -> take(preparing).onFailure(failure -> torn = Set.copyOf(asked)))
        .onSuccess(
            taken -> {
              current = next;
              torn = Set.of();
            });
  }

  private static Future<Void> take(List<Future<Prepared>> ready) {
    return Future.join(ready.stream().map(each -> settled(() -> each.result().take())).toList())
        .mapEmpty();
  }

  /** What a part throws is its failure, and no reason to pass over the others. */
  private static <T> Future<T> settled(Supplier<Future<T>> part) {
    try {
      return part.get();
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private static void leave(List<Future<Prepared>> preparing) {
    preparing.stream().filter(Future::succeeded).forEach(prepared -> prepared.result().leave());
  }
}
