package io.galop.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cluster.Cluster;
import io.galop.config.Role;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a node makes of a standstill and of others that are back. */
class CompanyTest {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(5);
  private final TestCluster cluster = new TestCluster(4);
  private final Cluster self = cluster.join("1", "one", Role.PERSIST);
  private long now = 1;

  private Company company() {
    return new Company(self, LIMIT, () -> now);
  }

  private void standStill(Company company) {
    now += LIMIT + 1;
    assertTrue(company.stoodStill());
    assertEquals((LIMIT + 1) / 1e9, company.pausedSeconds(), "the log says for how long");
  }

  @Test
  void whoIsAloneHasNobodyToAsk() {
    cluster.join("9", "front", Role.BROADCAST);
    Company company = company();
    now += LIMIT + 1;
    assertFalse(company.stoodStill());
    assertTrue(company.mayTake());
  }

  @Test
  void aShortPauseIsNoStandstill() {
    cluster.join("2", "two", Role.PERSIST);
    Company company = company();
    for (int i = 0; i < 10; i++) {
      now += LIMIT;
      assertFalse(company.stoodStill());
    }
  }

  @Test
  void whoFindsItselfAloneAfterAStandstillWaitsForTheOthers() {
    cluster.join("2", "two", Role.PERSIST);
    Company company = company();
    standStill(company);
    assertTrue(company.mayTake(), "there is somebody to ask");
    cluster.cutOff("1");
    assertEquals(Set.of(), company.look());
    assertFalse(company.mayTake());
    cluster.reunite();
    assertEquals(Set.of("2"), company.look());
    assertTrue(company.mayTake());
    cluster.leave("2");
    assertEquals(Set.of(), company.look());
    assertTrue(company.mayTake(), "that is over");
  }

  @Test
  void itDoesNotWaitForEver() {
    cluster.join("2", "two", Role.PERSIST);
    Company company = company();
    standStill(company);
    cluster.leave("2");
    company.look();
    assertFalse(company.mayTake());
    now += TimeUnit.SECONDS.toNanos(21);
    assertTrue(company.mayTake());
  }

  @Test
  void anotherStartOfANodeIsNotBack() {
    cluster.join("2", "two", Role.PERSIST);
    Company company = company();
    cluster.leave("2");
    company.look();
    cluster.join("3", "two", Role.PERSIST);
    assertEquals(Set.of(), company.look());
  }
}
