package io.galop.telemetry;

import io.galop.node.Node;
import io.galop.node.TraceBrick;

/** Sends traces with the SDK of OpenTelemetry. */
public final class OpenTelemetryBrick implements TraceBrick {
  @Override
  public Sender open(Node node) {
    return new SpanSender(node);
  }
}
