package io.galop.enrich.script;

import java.io.IOException;
import java.io.InputStream;

/** Where live records come from. */
@FunctionalInterface
public interface LiveSource {
  /**
   * Subscribes at a node.
   *
   * @param filter a topic or filter
   * @param url the node's port for browsers
   * @param count after how many records to end; 0: never
   * @return lines as {@code galop subscribe} prints them; reading fails when the subscription does
   */
  InputStream open(String filter, String url, long count) throws IOException;
}
