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
      "Lets viewers come and go while messages flow to all that are there.",
      "Connects, disconnects some, lets it run, and begins again; looks at the server's processes"
          + " and",
      "sockets all the time. Each viewer has to see every message from the first it sees to the"
          + " last",
      "before it leaves, once."
    },
    footer = {
      "",
      "Ends with 1 if a message is missing, a viewer was lost, or a socket is not closed at the"
          + " end."
    })
public final class RampCommand implements Callable<Integer> {
  @Mixin private RampOptions options;

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
