package io.galop.extend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What a verticle of the user's own can do with its node: one for each instance. Handlers are
 * called one at a time, on the thread of the instance. What they throw is logged with file and line
 * and counted, and the next call comes all the same. The methods may be called from any thread.
 *
 * <p>Data are maps by name of texts, numbers, booleans, null, lists and maps again.
 */
public interface GalopApi {
  /** What {@code settings} says in the configuration; numbers, true and false as such. */
  @NullUnmarked // verticles in Kotlin may take it as a map of Any or of Any?
  Map<String, Object> getSettings();

  /** Which instance this is, from 0. */
  int getInstance();

  /** How many instances run on this node. */
  int getInstances();

  /** Writes to the node's log. */
  Logger getLog();

  /** All of Vert.x: nothing that the process may do is kept from who has this. */
  Vertx getVertx();

  /**
   * Publishes a record of now, under an id made for it; see {@link #publish(String, Map, String,
   * Long)}.
   */
  default Future<Void> publish(String topic, Map<String, ?> data) {
    return publish(topic, data, null, null);
  }

  /** Publishes a record of now; see {@link #publish(String, Map, String, Long)}. */
  default Future<Void> publish(String topic, Map<String, ?> data, @Nullable String id) {
    return publish(topic, data, id, null);
  }

  /**
   * Publishes a record as through any door: limits, enrichment, Log. What one instance publishes
   * goes in this order.
   *
   * @param id what is published twice under the same id is stored once; null to have one made
   * @param timeUs event time, microseconds since the epoch; null for the time of arrival
   * @return succeeds when the record is acknowledged as {@code persist.ack} says; fails with {@link
   *     NotPublished}
   */
  Future<Void> publish(
      String topic, Map<String, ?> data, @Nullable String id, @Nullable Long timeUs);

  /** The same with the data as the text of a JSON object, for languages that print their own. */
  Future<Void> publishJson(String topic, String data, @Nullable String id, @Nullable Long timeUs);

  /** Consumes without being told what was missed; see {@link #consume(String, Live, Consumer)}. */
  default Ongoing consume(String filter, Live handler) {
    return consume(filter, handler, why -> {});
  }

  /**
   * Has the records of topics handled as this node is fed them, each topic in its order: from now
   * on, and of its share of the topics where there are more instances.
   *
   * @param filter a topic, or a filter with {@code +} and {@code #}
   * @param onMissed is told {@code feed} when the node itself may have missed records, {@code
   *     behind} when some gave way since the handler is too slow
   * @throws IllegalStateException if the node has no feed, as it does not run the role broadcast
   * @throws IllegalArgumentException naming the rule that the filter breaks
   */
  Ongoing consume(String filter, Live handler, Consumer<String> onMissed);

  /**
   * Calls a handler every so many milliseconds. Where it takes longer, or returns a Future that
   * does, the calls that were due meanwhile are left out and counted.
   */
  Ongoing every(long ms, Callable<?> handler);

  /** Handles a record. */
  interface Live {
    /**
     * Called with the next record.
     *
     * @return a Future that has to be complete before the next record comes; anything else is of no
     *     meaning
     */
    @Nullable Object handle(LiveRecord record) throws Exception;
  }

  /** Something that goes on until it is ended. */
  interface Ongoing {
    /** Ends it: the handler is not called any more. */
    void end();
  }
}
