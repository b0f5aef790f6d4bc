package io.galop.persist.log;

import io.vertx.core.Context;
import io.vertx.core.Promise;
import java.io.IOException;

/**
 * Something that waits to be logged.
 *
 * @param content writes its entries
 * @param bytes about how many
 * @param records how many records
 * @param context where its future completes; null: on the thread that writes
 */
record Append(Content content, long bytes, int records, Promise<Void> done, Context context) {
  /** Writes entries. */
  interface Content {
    void writeTo(SegmentWriter out) throws IOException;
  }
}
