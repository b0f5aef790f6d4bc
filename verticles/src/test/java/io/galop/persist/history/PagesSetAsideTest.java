package io.galop.persist.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.HistoryQuery;
import io.galop.bus.Page;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.persist.store.ColdKey;
import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An answer is the same, whenever its pages are set aside. */
class PagesSetAsideTest {
  private static final int SEEDS = 2_000;
  private static final int MOST_OF_A_PAGE = 40;

  /** A node that keeps some records, of several copies of the same one too. */
  private static final class Keeper {
    private final List<Placed> kept;
    private final Order order;
    private List<String> missing = List.of();

    Keeper(List<Placed> kept, Order order) {
      this.kept = kept;
      this.order = order;
    }

    Future<Page> page(HistoryQuery query) {
      Optional<ColdKey> after = Place.parse(query.next()).key();
      int most = Math.min(MOST_OF_A_PAGE, query.limit());
      List<Placed> some =
          kept.stream()
              .filter(one -> after.isEmpty() || order.compare(Order.key(one), after.get()) > 0)
              .limit(most)
              .toList();
      Optional<ColdKey> next =
          some.size() == most ? Optional.of(Order.key(some.get(most - 1))) : Optional.empty();
      String text = next.map(key -> new Place(Set.of(), Optional.of(key)).text()).orElse("");
      return Future.succeededFuture(
          new Page(missing.isEmpty(), Position.none(0), text, some, missing));
    }
  }

  private static Placed placed(int number) {
    byte[] data = {'{', '}'};
    return new Placed(
        new Position(0, 1, number), new Record("r" + number, "t", 1_000 + number / 3, data));
  }

  private static HistoryRequest request(int limit, boolean newestFirst) {
    return HistoryRequest.parse(
        "t",
        new TreeMap<>(
            Map.of("limit", List.of("" + limit), "order", List.of(newestFirst ? "desc" : "asc"))),
        "",
        "",
        new HistoryRequest.Bounds(10_000, 256));
  }

  private static NodeAnswer answer(Keeper keeper, HistoryRequest request) {
    Member member = new Member("id", "one", Set.of(Role.PERSIST));
    return new NodeAnswer(member, request.query(), keeper::page);
  }

  @Test
  void nothingIsMissingOrTwiceWhereverPagesAreSetAside() {
    int times = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Order order = new Order(random.nextBoolean());
      Comparator<Placed> byKey = (a, b) -> order.compare(Order.key(a), Order.key(b));
      int all = random.nextInt(300);
      List<List<Placed>> kept = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        kept.add(new ArrayList<>());
      }
      List<String> expected = new ArrayList<>();
      for (int n = 0; n < all; n++) {
        int main = random.nextInt(kept.size());
        for (int i = 0; i < kept.size(); i++) {
          if (i == main || random.nextInt(3) == 0) {
            kept.get(i).add(placed(n));
          }
        }
      }
      List<Placed> sorted = new ArrayList<>();
      for (int n = 0; n < all; n++) {
        sorted.add(placed(n));
      }
      int limit = 1 + random.nextInt(300);
      sorted.stream().sorted(byKey).limit(limit).forEach(one -> expected.add(one.record().id()));
      HistoryRequest request = request(limit, order.newestFirst());
      List<NodeAnswer> answers = new ArrayList<>();
      for (List<Placed> one : kept) {
        one.sort(byKey);
        NodeAnswer answer = answer(new Keeper(one, order), request);
        assertTrue(answer.load().succeeded());
        answers.add(answer);
      }
      Merged merged = new Merged(request, answers, limit);
      List<String> taken = new ArrayList<>();
      boolean goesOn = true;
      while (goesOn) {
        if (random.nextInt(10) == 0) {
          merged.setPagesAside();
          assertEquals(0, merged.heldBytes());
          times++;
        }
        var page = merged.waiting();
        if (page.isPresent()) {
          assertTrue(page.get().succeeded());
        } else {
          Placed next = merged.take();
          goesOn = next != null || merged.mustLoad();
          if (next != null) {
            taken.add(next.record().id());
          }
        }
      }
      assertEquals(expected, taken, "seed " + seed);
    }
    assertTrue(times > SEEDS, "set aside " + times + " times");
  }

  /** The head of the answer has named what is missing. */
  @Test
  void aStoreThatIsGoneWhenThePageIsAskedForAgainFailsTheAnswer() {
    List<Placed> kept = new ArrayList<>();
    for (int n = 0; n < 20; n++) {
      kept.add(placed(n));
    }
    Keeper keeper = new Keeper(kept, new Order(false));
    NodeAnswer answer = answer(keeper, request(100, false));
    answer.load();
    for (int n = 0; n < 5; n++) {
      answer.advance();
    }
    answer.setAside();
    assertFalse(answer.hasRecord());
    keeper.missing = List.of("redis");
    Future<Void> again = answer.load();
    assertTrue(again.failed());
    assertTrue(again.cause().getMessage().contains("redis"), again.cause().getMessage());
    keeper.missing = List.of();
    assertTrue(answer.load().succeeded());
    assertEquals(placed(5).record().id(), answer.record().record().id());
  }
}
