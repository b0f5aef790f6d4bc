package io.galop.loadtest.ramp;

import io.galop.loadtest.client.Crowd;
import io.galop.loadtest.client.ViewerGroup;
import io.galop.loadtest.latency.OpenLoopPublisher;
import io.galop.loadtest.sample.ServerSampler;
import io.galop.loadtest.targets.Started;
import io.galop.loadtest.targets.Target;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Viewers come and go while messages flow. */
@Command(
    name = "ramp",
    mixinStandardHelpOptions = true,
    description = {
      "Lets viewers come and go under load, in cycles, and watches the server.",
      "Each viewer must see every message from its first to its last, once."
    },
    footer = {
      "",
      "Exit code 1 if a message is missing, a viewer was lost, or a socket stays open at the end."
    })
public final class RampCommand implements Callable<Integer> {
  @Mixin private final RampOptions options = new RampOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    try (Started started = options.server.start(options.node.galop(1))) {
      Target target = started.target();
      ViewerGroup audience =
          ViewerGroup.of(
              target.browsers(), options.server.dialect(options.transport), target.addresses(1));
      try (Crowd crowd = new Crowd(audience, 0, options.bytes);
          OpenLoopPublisher publisher = new OpenLoopPublisher(options.load(), target.tcp());
          ServerSampler sampler = new ServerSampler(target, crowd::present, options.sampleMs)) {
        crowd.follow();
        publisher.measureNow();
        return new Ramp(options, target, crowd, publisher, sampler).run() ? 0 : 1;
      }
    }
  }
}
