package io.galop.loadtest.chaos;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** All who publish and watch during a run. */
final class Crowd implements AutoCloseable {
  private static final int KINDS = 4;

  private final Ledger ledger = new Ledger();
  private final List<Publisher> publishers = new ArrayList<>();
  private final List<Viewer> viewers = new ArrayList<>();
  private final HttpClient client;

  Crowd(HttpClient client) {
    this.client = client;
  }

  Ledger ledger() {
    return ledger;
  }

  List<Viewer> viewers() {
    return viewers;
  }

  /** Of those who stay. */
  List<Journal> staying() {
    return viewers.stream().filter(Viewer::stays).map(Viewer::journal).toList();
  }

  /** Both kinds of door and, of each front, both transports, and both ways to watch. */
  void start(ChaosOptions options, Cluster cluster) {
    for (String front : cluster.fronts()) {
      for (int i = 0; i < options.viewers; i++) {
        Viewer.Carrier carrier = i % 2 == 0 ? Viewer.Carrier.WEBSOCKET : Viewer.Carrier.POLLING;
        boolean stays = i % KINDS < KINDS / 2;
        String name = (carrier + (stays ? " stays " : " returns ")).toLowerCase(Locale.ROOT);
        String at = name + viewers.size();
        viewers.add(new Viewer(client, at, carrier, front, stays, options.seed + i).start());
      }
    }
    List<String> hosts =
        cluster.nodes().stream().filter(Node::isStoring).map(Node::address).toList();
    double each = options.rate / options.publishers;
    for (int i = 0; i < options.publishers; i++) {
      List<String> turned = new ArrayList<>(hosts);
      Collections.rotate(turned, i);
      String name = "p" + i;
      publishers.add(
          (i % 2 == 0
                  ? new TcpPublisher(ledger, name, turned, options.topics, each)
                  : new HttpPublisher(client, ledger, name, turned, options.topics, each))
              .start());
    }
  }

  /** No new records; who comes and goes stays. */
  void settle() {
    publishers.forEach(Publisher::stopMaking);
    viewers.forEach(Viewer::settle);
  }

  @Override
  public void close() throws InterruptedException {
    for (Publisher publisher : publishers) {
      publisher.close();
    }
    for (Viewer viewer : viewers) {
      viewer.close();
    }
  }
}
