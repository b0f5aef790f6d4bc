package io.galop.loadtest.experiments.relays;

import io.galop.loadtest.chaos.Evidence;
import io.galop.loadtest.chaos.History;
import io.galop.loadtest.chaos.Journal;
import io.galop.loadtest.chaos.Oracle;
import io.galop.loadtest.chaos.PublishedRecords;
import io.galop.loadtest.chaos.SeenPosition;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Asks the storing node and a leaf for all that they know of the past. */
record TreeEvidence(HttpClient client, String storing, String leaf) {
  private static final long PATIENCE_SECONDS = 60;
  private static final long LOOK_EVERY_MS = 250;

  /** Waits for what may still be under way, but not for ever. */
  Evidence gather(PublishedRecords ledger, List<Journal> journals)
      throws IOException, InterruptedException {
    Map<String, SeenPosition> positions = new HashMap<>();
    Map<String, List<String>> stores = new TreeMap<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      stores.put("history of the storing node", keys(storing, positions, deadline));
      stores.put("history of a leaf", keys(leaf, positions, deadline));
      Evidence evidence = new Evidence(ledger.entries(), stores, positions, journals);
      if (!Oracle.judge(evidence).mayGetBetter() || System.nanoTime() > deadline) {
        return evidence;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
  }

  private List<String> keys(String node, Map<String, SeenPosition> positions, long deadline)
      throws IOException, InterruptedException {
    return new History(client, node).wholeKeys(positions, deadline);
  }
}
