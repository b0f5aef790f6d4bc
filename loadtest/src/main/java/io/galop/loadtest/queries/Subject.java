package io.galop.loadtest.queries;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source that is ready to be asked.
 *
 * @param node of Galop; null where it is nginx
 * @param store the server of its own; null where there is none
 */
record Subject(
    AnswerSource source,
    Question question,
    Expected expected,
    Nodes.@Nullable Running node,
    @Nullable StoreProcess store) {

  /** Of all that works for an answer. */
  List<Long> pids() {
    List<Long> pids = new ArrayList<>();
    if (node != null) {
      pids.addAll(node.pids());
    }
    if (store != null) {
      pids.addAll(store.pids());
    }
    return pids;
  }
}
