package io.galop.ops.letters;

import io.galop.node.BoundedQuestions;
import io.galop.node.JsonAnswer;
import io.galop.node.Node;
import io.galop.ops.letters.LetterSearch.Range;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * {@code GET /dead-letters?filter=&reason=&limit=&before=}: the newest dead letters of all nodes
 * that store, with the beginnings of their records' data; {@code ?id=…} one with all of it. So many
 * questions at once; more get 503. On the event loop of the port.
 */
public final class LettersEndpoint {
  static final String PATH = "/dead-letters";

  /** What is answered by a node that cannot ask. */
  static final String ROLE_MISSING = "this node reaches none that stores; ask one that does";

  private static final int MOST_UNDER_WAY = 4;

  private final Node node;
  private final Loop loop;
  private final LetterSearch search;
  private final BoundedQuestions questions;

  public LettersEndpoint(Node node, Loop loop) {
    this.node = node;
    this.loop = loop;
    this.search = new LetterSearch(node, loop);
    this.questions =
        new BoundedQuestions(
            MOST_UNDER_WAY,
            Counter.builder("galop.letters.refused")
                .description(
                    "Questions for dead letters that were refused, as too many were under way")
                .register(node.meters()));
  }

  /** Adds its route. */
  public void mount(Router router) {
    router.get(PATH).handler(this::answer);
  }

  private void answer(RoutingContext request) {
    if (!search.isPossible()) {
      JsonAnswer.refuse(request, 404, "role_missing", ROLE_MISSING);
      return;
    }
    int maxFilterBytes = node.config().broadcast().maxFilterBytes();
    questions.answer(
        request,
        () -> loop.bring(answer(LetterQuestion.of(request.queryParams(), maxFilterBytes))));
  }

  /** Of one letter all of its moment are read: another attempt has the time of the first. */
  private Future<Buffer> answer(LetterQuestion asked) {
    Range range =
        asked
            .id()
            .map(id -> new Range(LetterQuestion.ALL, id.timeUs(), id.timeUs(), Optional.empty()))
            .orElse(new Range(asked.filter(), Long.MIN_VALUE, Long.MAX_VALUE, asked.before()));
    boolean isList = asked.id().isEmpty() && asked.reason().isEmpty();
    int looked = isList ? asked.limit() : LetterSearch.PAGE_LETTERS;
    return search
        .page(range, true, looked)
        .compose(
            page ->
                loop.vertx().executeBlocking(() -> LetterJson.of(page, asked).toBuffer(), false));
  }
}
