package io.galop.loadtest.experiments.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However state is kept, no record is lost where several threads bring them. */
class StateTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 500;

  @ParameterizedTest
  @EnumSource(
      value = Discipline.class,
      names = {"SINGLE_WRITER", "LOCK", "STM"})
  void keepsEveryRecord(Discipline discipline) throws Exception {
    State state = discipline.state();
    String[] topics = {"a", "b", "a"};
    double[] prices = {3, 7, 5};
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  state.take(topics, prices, topics.length);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long each = THREADS * ROUNDS;
    assertEquals(new PriceWindow(2 * each, 8 * each, 3, 5), state.window("a"));
    assertEquals(new PriceWindow(each, 7 * each, 7, 7), state.window("b"));
  }
}
