package io.galop.loadtest.chaos;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** All who publish and watch during a run. */
final class ChaosClients implements AutoCloseable {
  private enum Door {
    TCP,
    HTTP,
    MQTT
  }

  private static final int KINDS = 4;
  private static final List<Door> DOORS = List.of(Door.values());
  private static final List<ChaosViewer.Carrier> CARRIERS = List.of(ChaosViewer.Carrier.values());

  private final PublishedRecords ledger = new PublishedRecords();
  private final List<SteadyPublisher> publishers = new ArrayList<>();
  private final List<ChaosViewer> viewers = new ArrayList<>();
  private final HttpClient client;

  ChaosClients(HttpClient client) {
    this.client = client;
  }

  PublishedRecords ledger() {
    return ledger;
  }

  List<ChaosViewer> viewers() {
    return viewers;
  }

  /** Of those who stay. */
  List<Journal> staying() {
    return viewers.stream().filter(ChaosViewer::stays).map(ChaosViewer::journal).toList();
  }

  /** The kinds of door in turn and, of each node that broadcasts, the transports in turn. */
  void start(ChaosOptions options, FaultyCluster cluster) {
    for (String front : cluster.fronts()) {
      for (int i = 0; i < options.viewers; i++) {
        ChaosViewer.Carrier carrier = CARRIERS.get(i % CARRIERS.size());
        boolean stays = i % KINDS < KINDS / 2;
        String name = (carrier + (stays ? " stays " : " returns ")).toLowerCase(Locale.ROOT);
        String at = name + viewers.size();
        viewers.add(
            new ChaosViewer(client, at, carrier, List.of(front), stays, options.seed() + i)
                .start());
      }
    }
    List<String> hosts =
        cluster.nodes().stream().filter(FaultyNode::isStoring).map(FaultyNode::address).toList();
    double each = options.rate / options.publishers;
    for (int i = 0; i < options.publishers; i++) {
      Door door = DOORS.get(i % DOORS.size());
      List<String> turned = new ArrayList<>(door == Door.HTTP ? cluster.doors() : hosts);
      Collections.rotate(turned, i);
      publishers.add(publisher(door, "p" + i, turned, options.topics, each).start());
    }
  }

  private SteadyPublisher publisher(
      Door door, String name, List<String> to, int topics, double perSecond) {
    return switch (door) {
      case TCP -> new TcpPublisher(ledger, name, to, topics, perSecond);
      case HTTP -> new HttpPublisher(client, ledger, name, to, topics, perSecond);
      case MQTT -> new MqttPublisher(ledger, name, to, topics, perSecond);
    };
  }

  /** No new records; who comes and goes stays. */
  void settle() {
    publishers.forEach(SteadyPublisher::stopMaking);
    viewers.forEach(ChaosViewer::settle);
  }

  @Override
  public void close() throws InterruptedException {
    for (SteadyPublisher publisher : publishers) {
      publisher.close();
    }
    for (ChaosViewer viewer : viewers) {
      viewer.close();
    }
  }
}
