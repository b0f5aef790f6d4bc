package io.galop.loadtest.experiments.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A topic belongs to one thread; the others hand records over, in groups. */
final class OwnedState implements State {
  private static final int QUEUE_GROUPS = 256;

  /** Records for one owner. */
  private record Group(List<String> topics, List<Double> prices, CountDownLatch done) {}

  /** A thread and its topics. */
  private static final class Owner extends Thread {
    private final BlockingQueue<Group> groups = new ArrayBlockingQueue<>(QUEUE_GROUPS);
    private final Map<String, PriceWindow> windows = new HashMap<>();

    @Override
    public void run() {
      try {
        while (true) {
          Group group = groups.take();
          for (int i = 0; i < group.topics.size(); i++) {
            PriceWindow window = windows.getOrDefault(group.topics.get(i), PriceWindow.EMPTY);
            windows.put(group.topics.get(i), window.with(group.prices.get(i)));
          }
          group.done.countDown();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final List<Owner> owners = new ArrayList<>();

  OwnedState(int threads) {
    for (int i = 0; i < threads; i++) {
      Owner owner = new Owner();
      owner.setDaemon(true);
      owner.start();
      owners.add(owner);
    }
  }

  @Override
  public void take(String[] topics, double[] prices, int count) {
    CountDownLatch done = new CountDownLatch(owners.size());
    List<Group> groups = new ArrayList<>();
    owners.forEach(o -> groups.add(new Group(new ArrayList<>(), new ArrayList<>(), done)));
    for (int i = 0; i < count; i++) {
      Group group = groups.get(owner(topics[i]));
      group.topics.add(topics[i]);
      group.prices.add(prices[i]);
    }
    try {
      for (int i = 0; i < groups.size(); i++) {
        owners.get(i).groups.put(groups.get(i));
      }
      done.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int owner(String topic) {
    return Math.floorMod(topic.hashCode(), owners.size());
  }

  @Override
  public @Nullable PriceWindow window(String topic) {
    return owners.get(owner(topic)).windows.get(topic);
  }
}
