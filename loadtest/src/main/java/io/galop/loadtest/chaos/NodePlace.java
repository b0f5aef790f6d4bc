package io.galop.loadtest.chaos;

import java.util.List;

/** Where a node stands, which says what it does. */
enum NodePlace {
  /** A member that accepts, enriches and stores. */
  STORING("ingest", "enrich", "persist"),
  /** A member that only broadcasts. */
  FRONT("broadcast"),
  /** Beyond the border: it broadcasts what storing nodes bring, and may open no connection. */
  RELAY("broadcast");

  private final List<String> roles;

  NodePlace(String... roles) {
    this.roles = List.of(roles);
  }

  /** As {@code node.roles} has them. */
  List<String> roles() {
    return roles;
  }
}
