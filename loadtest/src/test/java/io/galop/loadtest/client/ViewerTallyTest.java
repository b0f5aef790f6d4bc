package io.galop.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.loadtest.latency.Gap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ViewerTallyTest {
  private final LoopFigures figures = new LoopFigures(100, () -> {});
  private final ViewerTally tally = figures.add();
  private final ViewerFrames frames = new ViewerFrames(figures, tally);

  private void receive(long... numbers) {
    StringBuilder frame = new StringBuilder("a[");
    for (long number : numbers) {
      String data = "{\\\"galopStamp\\\":\\\"" + number + ".5\\\",\\\"padding\\\":\\\"";
      frame.append('"').append(data).append("x".repeat(60)).append("\\\"}\",");
    }
    receive(frame.append("]").toString());
  }

  private void receive(String frame) {
    ByteBuf in = Unpooled.copiedBuffer(frame, StandardCharsets.US_ASCII);
    frames.onMessages(in, 0, in.readableBytes());
    in.release();
  }

  @Test
  void whatOvertookBeforeItIsFollowedIsNotMissing() {
    receive(7, 5);
    figures.follow();
    receive(6, 8, 10);
    AudienceReport report = figures.report(11);
    assertEquals(2, report.seen().received(), "8 and 10");
    assertEquals(1, report.seen().missing(), "9");
  }

  @Test
  void countsWhatIsMeasuredAndNothingElse() {
    figures.measure(10, 4);
    receive(8, 9, 10, 11, 11);
    assertEquals(0, figures.report(12).seen().missing(), "12 has not been published");
    receive(13, 14);
    AudienceReport report = figures.report(Long.MAX_VALUE);
    assertEquals(3, report.seen().received());
    assertEquals(1, report.seen().missing(), "12");
    assertEquals(new Gap(2, 2), report.seen().gap());
    assertEquals(1, report.seen().duplicates(), "11");
  }

  @Test
  void whatWasMeasuredBeforeCountsNoMore() {
    figures.measure(10, 2);
    receive(10, 11);
    figures.measure(20, 2);
    receive(21);
    assertEquals(1, figures.report(Long.MAX_VALUE).seen().received(), "21");
    assertEquals(1, figures.report(Long.MAX_VALUE).seen().missing(), "20");
  }

  @Test
  void aFollowedViewerHasToSeeAllFromItsFirstMessageOn() {
    figures.follow();
    receive(20, 21, 23);
    assertEquals(3, figures.report(26).seen().missing(), "22, 24, 25");
    assertEquals(0, figures.report(0).seen().missing(), "asked before the end is known");
    tally.leave();
    assertEquals(1, figures.report(26).seen().missing(), "22: it left after 23");
  }

  @Test
  void whoMissesSomethingHasBeenToldOrHasNot() {
    figures.follow();
    receive(1, 2, 5);
    assertEquals(1, figures.report(6).untold());
    receive(
        "a[\"{\\\"type\\\":\\\"resumed\\\",\\\"address\\\":\\\"a/#\\\",\\\"complete\\\":true}\"]");
    assertFalse(tally.isTold());
    receive(
        "a[\"{\\\"type\\\":\\\"resumed\\\",\\\"address\\\":\\\"a/#\\\",\\\"complete\\\":false}\"]");
    assertTrue(tally.isTold());
    assertEquals(0, figures.report(6).untold());
  }

  @Test
  void whoseConnectionEndsIsLostUnlessItIsLeaving() {
    figures.follow();
    assertFalse(figures.areWarm());
    receive(1, 3);
    tally.leave();
    tally.onLost();
    assertFalse(tally.isLost());
    ViewerTally other = figures.add();
    assertFalse(figures.areWarm(), "it has seen nothing");
    other.onLost();
    assertTrue(other.isLost() && figures.areWarm(), "it will never see anything");
    other.onStamp(1, 0);
    other.onStamp(3, 0);
    assertEquals(2, figures.report(4).seen().missing());
    assertEquals(1, figures.report(4).seen().lostViewers());
    assertEquals(1, figures.report(4).untold(), "who is lost is not counted with those");
    assertFalse(figures.forgetIfLost(tally));
    assertTrue(figures.forgetIfLost(other));
    assertEquals(0, figures.report(4).seen().lostViewers());
  }
}
