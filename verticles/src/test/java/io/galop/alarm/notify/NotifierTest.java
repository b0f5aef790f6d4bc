package io.galop.alarm.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.galop.config.ConfigLoader;
import io.galop.config.alarm.AlarmRuleConfig.Severity;
import io.galop.jvm.Moment;
import io.galop.vertx.Loop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is told of alarms, when, and how often; by a real web server and a real mail server. */
@Timeout(120)
class NotifierTest {
  private final Vertx vertx = Vertx.vertx();
  private final Loop loop = Loop.of(vertx.getOrCreateContext());
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private Supplier<Moment> clock = Moment::now;

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private AlarmNotifier notifier(String target) throws Exception {
    return new AlarmNotifier(
        loop,
        clock,
        ConfigLoader.parse("alarms:\n  targets:\n    - " + target, "t").alarms().targets(),
        "a",
        new SimpleMeterRegistry(),
        (id, name) -> told.add(name + " " + id));
  }

  private static AlarmNotifier.Alarm alarm(Severity severity, boolean isDue, Set<String> told) {
    return alarm(severity, isDue, told, 1_000);
  }

  private static AlarmNotifier.Alarm alarm(
      Severity severity, boolean isDue, Set<String> told, long sinceMs) {
    JsonObject json =
        new JsonObject()
            .put("id", "hot/s")
            .put("severity", severity.word())
            .put("state", "unacknowledged")
            .put("since", sinceMs)
            .put("text", "hot:\r\nBcc: mallory@example.com");
    return new AlarmNotifier.Alarm("hot", severity, isDue, sinceMs, told, json);
  }

  private HttpServer server(BlockingQueue<JsonObject> messages, int failures) {
    AtomicInteger left = new AtomicInteger(failures);
    return vertx
        .createHttpServer()
        .requestHandler(
            request ->
                request
                    .body()
                    .onSuccess(
                        body -> {
                          messages.add(body.toJsonObject());
                          int status = left.getAndDecrement() > 0 ? 503 : 204;
                          request.response().setStatusCode(status).end();
                        }))
        .listen(0, "127.0.0.1")
        .await();
  }

  private void tickOften(AlarmNotifier notifier) {
    loop.run(() -> vertx.setPeriodic(20, timer -> notifier.tick()));
  }

  /** A server whose answer has no end: after a request, or from the start if it says nothing. */
  private NetServer silent(AtomicInteger connections, String says) {
    return vertx
        .createNetServer()
        .connectHandler(
            socket -> {
              connections.incrementAndGet();
              socket.handler(request -> socket.write(says));
              vertx.setPeriodic(50, timer -> socket.write("x"));
            })
        .listen(0, "127.0.0.1")
        .await();
  }

  private void assertGivenUp(AtomicInteger connections) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (connections.get() < 2) {
      assertTrue(System.nanoTime() < end, "the message that nobody answers is never given up");
      Thread.sleep(20);
    }
    assertTrue(told.isEmpty());
  }

  @Test
  void aMailServerWithoutAnEndIsGivenUp() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    AlarmNotifier notifier =
        notifier(
            "{name: lead, groupMs: 0, by: {mail: {host: 127.0.0.1, encryption: none, timeoutMs:"
                + " 200, from: a@example.com, to: [lead@example.com], port: "
                + silent(connections, "").actualPort()
                + "}}}");
    loop.run(() -> notifier.onState("hot/s", alarm(Severity.HIGH, true, Set.of()), true));
    tickOften(notifier);
    assertGivenUp(connections);
  }

  @Test
  void anAnswerWithoutAnEndIsGivenUp() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    int port = silent(connections, "HTTP/1.1 200 OK\r\n\r\n").actualPort();
    AlarmNotifier notifier =
        notifier(
            "{name: ops, groupMs: 0, by: {webhook: {timeoutMs: 300, url: 'http://127.0.0.1:%d/'}}}"
                .formatted(port));
    loop.run(() -> notifier.onState("hot/s", alarm(Severity.HIGH, true, Set.of()), true));
    tickOften(notifier);
    assertGivenUp(connections);
  }

  /** A message that the test answers. */
  private record Held(HttpServerRequest request, JsonObject message) {
    void answer(int status) {
      request.response().setStatusCode(status).end();
    }
  }

  private HttpServer held(BlockingQueue<Held> requests) {
    return vertx
        .createHttpServer()
        .requestHandler(
            request ->
                request
                    .body()
                    .onSuccess(body -> requests.add(new Held(request, body.toJsonObject()))))
        .listen(0, "127.0.0.1")
        .await();
  }

  private void onLoop(Runnable task) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    loop.run(
        () -> {
          task.run();
          done.countDown();
        });
    done.await();
  }

  @Test
  void whatIsRaisedAnewMeanwhileIsToldAsWell() throws Exception {
    BlockingQueue<Held> requests = new LinkedBlockingQueue<>();
    AlarmNotifier notifier = notifier(webhook(held(requests), ""));
    onLoop(() -> notifier.onState("hot/s", alarm(Severity.HIGH, true, Set.of()), true));
    tickOften(notifier);
    Held first = requests.take();
    onLoop(
        () -> {
          notifier.onState("hot/s", alarm(Severity.HIGH, false, Set.of()), true);
          notifier.onState("hot/s", alarm(Severity.HIGH, true, Set.of(), 2_000), true);
        });
    first.answer(204);
    Held second = requests.poll(60, TimeUnit.SECONDS);
    assertNotNull(second, "what was raised anew is never told");
    assertTrue(told.isEmpty(), "the first message is not of what stands now");
    JsonObject alarm = second.message().getJsonArray("alarms").getJsonObject(0);
    assertEquals(2_000, alarm.getLong("since"));
    assertEquals(false, alarm.getBoolean("repeated"));
    second.answer(204);
    assertEquals("ops hot/s", told.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void theOldestGiveWayAlsoAfterAFailure() throws Exception {
    BlockingQueue<Held> requests = new LinkedBlockingQueue<>();
    AlarmNotifier notifier = notifier(webhook(held(requests), ", maxWaiting: 1"));
    onLoop(() -> notifier.onState("hot/old", alarm(Severity.HIGH, true, Set.of()), true));
    tickOften(notifier);
    Held first = requests.take();
    onLoop(() -> notifier.onState("hot/new", alarm(Severity.HIGH, true, Set.of()), true));
    first.answer(503);
    Held second = requests.poll(30, TimeUnit.SECONDS);
    assertNotNull(second);
    second.answer(204);
    assertEquals("ops hot/new", told.poll(30, TimeUnit.SECONDS));
  }

  private static String webhook(HttpServer server, String more) {
    return "{name: ops, groupMs: 0, by: {webhook: {timeoutMs: 60000, url: 'http://127.0.0.1:"
        + server.actualPort()
        + "/'}}"
        + more
        + "}";
  }

  @Test
  void whatFailedIsToldAgainAndMarked() throws Exception {
    BlockingQueue<JsonObject> messages = new LinkedBlockingQueue<>();
    AlarmNotifier notifier = notifier(webhook(server(messages, 1), ""));
    loop.run(() -> notifier.onState("hot/s", alarm(Severity.HIGH, true, Set.of()), true));
    tickOften(notifier);
    assertEquals("ops hot/s", told.poll(60, TimeUnit.SECONDS));
    assertEquals(false, repeated(messages.take()));
    assertEquals(true, repeated(messages.take()));
    assertTrue(messages.isEmpty() && told.isEmpty());
  }

  private static boolean repeated(JsonObject message) {
    assertEquals("ops", message.getString("target"));
    return message.getJsonArray("alarms").getJsonObject(0).getBoolean("repeated");
  }

  @Test
  void onlyWhatNobodyAcknowledgedEscalates() throws Exception {
    BlockingQueue<JsonObject> messages = new LinkedBlockingQueue<>();
    AtomicLong nowMs = new AtomicLong(1_000);
    clock = () -> new Moment(nowMs.get(), nowMs.get());
    AlarmNotifier notifier = notifier(webhook(server(messages, 0), ", afterMinutes: 15"));
    long dueMs = 1_000 + TimeUnit.MINUTES.toMillis(15);
    loop.run(
        () -> {
          notifier.onState("seen/s", alarm(Severity.HIGH, true, Set.of()), true);
          notifier.onState("known/s", alarm(Severity.HIGH, true, Set.of("ops")), true);
          notifier.onState("hot/s", alarm(Severity.HIGH, true, Set.of()), true);
          nowMs.set(dueMs - 1);
          notifier.tick();
          notifier.onState("seen/s", alarm(Severity.HIGH, false, Set.of()), true);
          nowMs.set(dueMs);
          notifier.tick();
        });
    assertEquals("ops hot/s", told.poll(60, TimeUnit.SECONDS));
    assertEquals(dueMs, messages.take().getLong("time"));
    assertTrue(messages.isEmpty() && told.isEmpty());
  }

  @Test
  void aClockThatIsSetBackDelaysNothing() throws Exception {
    BlockingQueue<JsonObject> messages = new LinkedBlockingQueue<>();
    AtomicLong setMs = new AtomicLong(TimeUnit.HOURS.toMillis(3));
    clock = () -> new Moment(Moment.now().wallMs() + setMs.get(), Moment.now().steadyMs());
    AlarmNotifier notifier = notifier(webhook(server(messages, 1), ""));
    loop.run(
        () -> {
          long sinceMs = clock.get().wallMs();
          notifier.onState("hot/s", alarm(Severity.HIGH, true, Set.of(), sinceMs), true);
          notifier.tick();
        });
    assertNotNull(messages.poll(30, TimeUnit.SECONDS));
    setMs.set(0); // the pause after the failure may have begun or not
    tickOften(notifier);
    assertNotNull(messages.poll(30, TimeUnit.SECONDS), "it waits for the time that was");
    assertEquals("ops hot/s", told.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void aMailIsTakenAndItsSubjectIsOneLine() throws Exception {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    try {
      AlarmNotifier notifier =
          notifier(
              "{name: lead, groupMs: 0, by: {mail: {host: 127.0.0.1, encryption: none, port: "
                  + server.getSmtp().getPort()
                  + ", from: a@example.com, to: [lead@example.com]}}}");
      loop.run(
          () -> {
            notifier.onState("hot/s", alarm(Severity.CRITICAL, true, Set.of()), true);
            notifier.tick();
          });
      assertEquals("lead hot/s", told.poll(60, TimeUnit.SECONDS));
      assertEquals(1, server.getReceivedMessages().length);
      var mail = server.getReceivedMessages()[0];
      assertEquals("[critical] hot:  Bcc: mallory@example.com", mail.getSubject());
      assertEquals("lead@example.com", mail.getAllRecipients()[0].toString());
      assertEquals(1, mail.getAllRecipients().length);
      assertTrue(String.valueOf(mail.getContent()).contains("hot (critical): 1 alarms"));
    } finally {
      server.stop();
    }
  }
}
