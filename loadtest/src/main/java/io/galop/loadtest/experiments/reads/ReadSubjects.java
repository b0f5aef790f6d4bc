package io.galop.loadtest.experiments.reads;

import io.galop.loadtest.client.AnswerCheck;
import io.galop.loadtest.inject.Injector;
import io.galop.loadtest.run.Bench;
import io.galop.loadtest.scenario.Injection;
import io.galop.loadtest.scenario.Scenario;
import io.galop.loadtest.scenario.StartPlan;
import io.galop.loadtest.site.OwnSite;
import io.galop.loadtest.site.Site;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All servers of a run, started, filled and connected; they stay until the end, to take turns. */
final class ReadSubjects implements AutoCloseable {
  private static final double FILL_PER_SECOND = 20_000;
  private static final double FILL_MOST_LATE_MS = 60_000;
  private static final long FILL_SECONDS = 60;
  private static final long LOOK_EVERY_MS = 20;

  private final Reads reads;
  private final Bench bench;
  private final List<ReadSubject> all = new ArrayList<>();
  private final EventLoopGroup clients =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

  ReadSubjects(Reads reads, Bench bench) {
    this.reads = reads;
    this.bench = bench;
  }

  List<ReadSubject> all() {
    return all;
  }

  void start() throws IOException, InterruptedException {
    for (int loops : reads.eventLoops()) {
      for (Way way : reads.ways()) {
        for (Binding binding : reads.threads()) {
          node(way, loops, binding);
        }
      }
    }
    URI answer = NewestAnswer.uri(all.get(0).address(), reads.records());
    List<String> flags = bench.scenario().start().jvmFlags();
    for (int loops : reads.eventLoops()) {
      Site site = OwnSite.start(flags, "answer-server", "" + loops, answer.toString());
      keep(null, loops, Binding.FREE, site);
    }
  }

  private void node(Way way, int loops, Binding binding) throws IOException, InterruptedException {
    Scenario scenario = bench.scenario();
    StartPlan plain = scenario.start();
    StartPlan plan = plain.with(plain.stores(), way.config(plain.config(), loops, reads.workers()));
    Site site = bench.start(scenario.withStart(plan));
    try {
      fill(site);
    } catch (IOException | InterruptedException | RuntimeException e) {
      site.close();
      throw e;
    }
    keep(way, loops, binding, site);
    bench.progress().line("ready: " + all.get(all.size() - 1).label());
  }

  private void keep(@Nullable Way way, int loops, Binding binding, Site site)
      throws IOException, InterruptedException {
    try {
      URI uri = NewestAnswer.uri(site.doors().http(), reads.records());
      AnswerCheck.Expected expected =
          AnswerCheck.Expected.of(NewestAnswer.get(uri, reads.records()));
      byte[] request = NewestAnswer.request(uri);
      Readers readers = new Readers(clients.next(), request, expected, reads.connections());
      readers.connect(site.doors().http());
      all.add(new ReadSubject(way, loops, binding, site, readers));
    } catch (IOException | InterruptedException | RuntimeException e) {
      site.close();
      throw e;
    }
  }

  private void fill(Site site) throws IOException, InterruptedException {
    Injection plan = bench.scenario().inject().withTopics(reads.topics());
    try (Injector injector = new Injector(site.doors(), plan)) {
      injector.send(FILL_PER_SECOND, reads.stored() / FILL_PER_SECOND, FILL_MOST_LATE_MS);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FILL_SECONDS);
      while (injector.acked() < reads.stored() && System.nanoTime() < deadline) {
        injector.check();
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      }
      if (injector.acked() < reads.stored() || injector.refused() > 0) {
        throw new IOException(
            "the node took %d of %d records and refused %d"
                .formatted(injector.acked(), reads.stored(), injector.refused()));
      }
    }
  }

  @Override
  public void close() {
    for (int i = all.size() - 1; i >= 0; i--) {
      all.get(i).close();
    }
    clients.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
