package io.galop.enrich.script.command;

import java.util.function.Consumer;

/** Where live records come from. */
@FunctionalInterface
public interface LiveSource {
  /**
   * Subscribes at a node and blocks until the subscription is done; fails when that does.
   *
   * @param filter a topic or filter
   * @param url the node's port for browsers
   * @param count after how many records to end; 0: never
   * @param onLine is given each record as {@code galop subscribe} prints it, one after the other
   *     but on any thread; while it runs nothing more is read. Throws an {@link
   *     java.io.UncheckedIOException} to end the subscription
   */
  void read(String filter, String url, long count, Consumer<String> onLine)
      throws InterruptedException;
}
