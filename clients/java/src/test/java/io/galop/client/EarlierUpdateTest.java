package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A subscription after another of the same filter, which ended while it waited for an answer. The
 * node says only which filter an answer is about, and one may still be on its way.
 */
@Timeout(60)
class EarlierUpdateTest {
  private static final String LIVE = "{'type':'live','address':'race/#','pos':'1.5-9,2.5-4'}";

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final SubscribeOptions usual =
      SubscribeOptions.create().onStatus(now -> told.add(now.state() + " " + now.reason()));
  private FakeNode node;
  private GalopClient client;
  private FakeNode.Viewer viewer;

  @BeforeEach
  void closeWhileAnUpdateIsSaid() throws Exception {
    node = new FakeNode();
    client = GalopClient.connect(node.url());
    viewer = node.viewer();
    closeEarlier();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    node.close();
  }

  private void awaitStatus(String status) throws Exception {
    for (String now = ""; !now.equals(status); ) {
      now = told.poll(20, TimeUnit.SECONDS);
      assertTrue(now != null, "is not told " + status);
    }
  }

  @Test
  void takesNoAnswerToAnEarlierUpdateForItsOwn() throws Exception {
    CompletionStage<Void> update = client.subscribe("race/#").update("data.n > 2", List.of());
    assertEquals("register", viewer.next().get("type"));
    viewer.say("{'type':'updated','address':'race/#','body':{}}");
    viewer.say(LIVE);
    assertEquals("update", viewer.next().get("type"));
    assertFalse(update.toCompletableFuture().isDone());
    viewer.say("{'type':'updated','address':'race/#','body':{}}");
    update.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void isNotEndedByARefusalOfAnEarlierUpdate() throws Exception {
    for (String word : List.of("not_registered", "invalid_header", "max_handlers_reached")) {
      Subscription next = client.subscribe("race/#", usual);
      assertEquals("register", viewer.next().get("type"));
      viewer.say("{'type':'err','address':'race/#','body':'" + word + "','message':'m'}");
      if (!word.equals("not_registered")) {
        assertEquals("register", viewer.next().get("type"), "it may be this one's refusal");
        viewer.say("{'type':'err','address':'race/#','body':'address_already_registered'}");
      }
      viewer.say(LIVE);
      awaitStatus("LIVE ");
      next.close();
      assertEquals("unregister", viewer.next().get("type"));
      closeEarlier();
    }
  }

  /** The earlier update has no answer if its registration ended before. */
  @Test
  void isEndedByARefusalOfItsOwn() throws Exception {
    client.subscribe("race/#", usual.where("data."));
    for (int i = 0; i < 2; i++) {
      assertEquals("register", viewer.next().get("type"));
      viewer.say("{'type':'err','address':'race/#','body':'invalid_header','message':'m'}");
    }
    awaitStatus("CLOSED invalid_header");
  }

  /** A registration that has not been answered may be refused as well. */
  @Test
  void isNotEndedByARefusalOfAnEarlierRegistration() throws Exception {
    for (int i = 0; i < 2; i++) {
      Subscription earlier = client.subscribe("race/#");
      assertEquals("register", viewer.next().get("type"));
      viewer.say("{'type':'err','address':'race/#','body':'invalid_header','message':'m'}");
      assertEquals("register", viewer.next().get("type"), "it may be this one's refusal");
      earlier.close();
      assertEquals("unregister", viewer.next().get("type"));
    }
    client.subscribe("race/#", usual);
    assertEquals("register", viewer.next().get("type"));
    viewer.say("{'type':'err','address':'race/#','body':'address_already_registered'}");
    viewer.say(LIVE);
    awaitStatus("LIVE ");
  }

  /** Each of several may be refused, and one that was asked for twice, twice. */
  @Test
  void isNotEndedByRefusalsOfSeveralEarlierRegistrations() throws Exception {
    client.subscribe("race/#", usual).close(); // the first waits for an update as well
    assertEquals("register", viewer.next().get("type"));
    assertEquals("unregister", viewer.next().get("type"));
    Subscription second = client.subscribe("race/#");
    assertEquals("register", viewer.next().get("type"));
    refuse();
    assertEquals("register", viewer.next().get("type"), "it may be this one's refusal");
    second.close();
    assertEquals("unregister", viewer.next().get("type"));
    client.subscribe("race/#", usual);
    assertEquals("register", viewer.next().get("type"));
    for (int i = 0; i < 3; i++) {
      refuse();
      assertEquals("register", viewer.next().get("type"), "it may be this one's refusal");
    }
    viewer.say(LIVE);
    awaitStatus("LIVE ");
  }

  private void refuse() throws Exception {
    viewer.say("{'type':'err','address':'race/#','body':'invalid_header','message':'m'}");
  }

  private void closeEarlier() throws Exception {
    Subscription earlier = client.subscribe("race/#");
    assertEquals("register", viewer.next().get("type"));
    viewer.say(LIVE);
    CompletionStage<Void> update = earlier.update("data.n > 1", List.of());
    assertEquals("update", viewer.next().get("type"));
    earlier.close();
    assertEquals("unregister", viewer.next().get("type"));
    assertThrows(
        ExecutionException.class, () -> update.toCompletableFuture().get(20, TimeUnit.SECONDS));
  }
}
