package io.galop.loadtest.stalled;

import io.vertx.core.json.JsonObject;

/**
 * What was seen without and then with viewers that never read.
 *
 * @param p99WithoutMs of those who read
 * @param p99WithMs of the same beside the others
 * @param residentWithoutMb the node's memory
 * @param residentWithMb the same at the end of the round
 * @param fullSockets connections of the node on which bytes waited for a reader, at that time
 */
record Round(
    double p99WithoutMs,
    double p99WithMs,
    double residentWithoutMb,
    double residentWithMb,
    int fullSockets) {

  double growthMb() {
    return residentWithMb - residentWithoutMb;
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("p99WithoutMs", p99WithoutMs)
        .put("p99WithMs", p99WithMs)
        .put("residentWithoutMb", residentWithoutMb)
        .put("residentWithMb", residentWithMb)
        .put("fullSockets", fullSockets);
  }
}
