package io.galop.ops;

import io.galop.node.Node;
import java.util.Locale;

/** Whether records become dead letters. */
final class LetterCheck implements Check {
  private static final String PART = "dead letters";
  private static final int LOOKS = 60;
  private final Node node;
  private final Recent ofSteps = new Recent(LOOKS);
  private final Recent ofStores = new Recent(LOOKS);
  private final Recent ofKafka = new Recent(LOOKS);

  LetterCheck(Node node) {
    this.node = node;
  }

  @Override
  public void look(MeterSums meters) {
    long steps = ofSteps.grownTo(meters.sum("galop.enrich.dead.letters"));
    long stores = ofStores.grownTo(meters.sum("galop.persist.sink.dead.letters"));
    long kafka = ofKafka.grownTo(meters.sum("galop.ingest.kafka.letters"));
    long all = steps + stores + kafka;
    if (all > 0) {
      node.readiness()
          .warn(
              PART,
              String.format(
                  Locale.ROOT,
                  "%,d records of the last minute (scripts and look-ups %,d, stores %,d,"
                      + " Kafka %,d)",
                  all,
                  steps,
                  stores,
                  kafka),
              "'galop dead-letter list' shows which and why");
    } else {
      node.readiness().calm(PART, "none for a minute");
    }
  }
}
