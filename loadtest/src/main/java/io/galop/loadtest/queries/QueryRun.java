package io.galop.loadtest.queries;

import io.galop.loadtest.targets.ProcessCost;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Asks all sources, turn about. */
final class QueryRun implements AutoCloseable {
  private static final int WARM_UP_CLIENTS = 2;

  private final Queries options;
  private final List<Subject> subjects;
  private final Consumer<String> say;
  private final List<QueryRow> rows = new ArrayList<>();
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

  QueryRun(Queries options, List<Subject> subjects, Consumer<String> say) {
    this.options = options;
    this.subjects = subjects;
    this.say = say;
  }

  private interface Load {
    QueryTally run(Clients clients) throws IOException, InterruptedException;
  }

  /** Everything; the medians of the closed loop are its last lines. */
  List<QueryRow> run() throws IOException, InterruptedException {
    for (Subject subject : subjects) {
      long warmUpMs = Math.round(1e3 * options.warmUpSeconds());
      clients(subject, WARM_UP_CLIENTS).askOn(warmUpMs);
    }
    for (int count : options.clients()) {
      for (Subject subject : count > 0 ? subjects : List.<Subject>of()) {
        String load = count + ", once each, " + options.everyMs() + " ms apart";
        rows.add(measure(subject, count, load, clients -> clients.askOnce(options.everyMs())));
      }
    }
    if (options.loopSeconds() > 0) {
      for (int count : options.loopClients()) {
        loop(count);
      }
    }
    return rows;
  }

  private void loop(int count) throws IOException, InterruptedException {
    List<List<QueryRow>> bySubject = new ArrayList<>();
    subjects.forEach(subject -> bySubject.add(new ArrayList<>()));
    long forMs = Math.round(1e3 * options.loopSeconds());
    for (int run = 0; run < options.runs(); run++) {
      for (int i = 0; i < subjects.size(); i++) {
        String load = count + " in a closed loop";
        bySubject
            .get(i)
            .add(measure(subjects.get(i), count, load, clients -> clients.askOn(forMs)));
      }
    }
    bySubject.forEach(runs -> rows.add(QueryRow.median(runs)));
  }

  private Clients clients(Subject subject, int count) {
    return new Clients(group.next(), subject.question(), subject.expected(), count);
  }

  private QueryRow measure(Subject subject, int count, String load, Load work)
      throws IOException, InterruptedException {
    long ownPid = ProcessHandle.current().pid();
    List<Long> pids = subject.pids();
    long server = cpuMicros(pids);
    long own = ProcessCost.cpuMicros(ownPid);
    long start = System.nanoTime();
    QueryTally tally = work.run(clients(subject, count));
    long took = System.nanoTime() - start;
    if (tally.wrong() > 0) {
      say.accept(subject.source().label() + ": " + tally.why());
    }
    QueryRow row =
        QueryRow.of(
            subject.source().label(),
            load,
            tally,
            took,
            cpuMicros(pids) - server,
            ProcessCost.cpuMicros(ownPid) - own);
    say.accept(row.line().strip());
    return row;
  }

  private static long cpuMicros(List<Long> pids) throws IOException {
    long sum = 0;
    for (long pid : pids) {
      sum += ProcessCost.cpuMicros(pid);
    }
    return sum;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
