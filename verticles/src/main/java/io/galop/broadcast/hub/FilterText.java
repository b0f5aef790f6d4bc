package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.json.JsonString;
import io.galop.record.TopicFilter;
import org.jspecify.annotations.Nullable;

/**
 * What the viewers of one filter and view are sent of a record: made once for all of them, whatever
 * their conditions. On a Hub's event loop.
 */
final class FilterText {
  private final TopicFilter filter;
  private final Frame.Opening opening;

  /** What its viewers see of a record; null: all of it. */
  private final @Nullable ViewText text;

  /** Of which record the frame was made last; null before the first. */
  private @Nullable Entry encoded;

  private @Nullable Frame frame;

  FilterText(TopicFilter filter) {
    this.filter = filter;
    this.text = null;
    this.opening = new Frame.Opening(filter.toString(), begin(filter));
  }

  private FilterText(FilterText whole, ViewText text) {
    this.filter = whole.filter;
    this.opening = whole.opening;
    this.text = text;
  }

  /** What a message with a record begins with. */
  static String begin(TopicFilter filter) {
    return "{\"type\":\"rec\",\"address\":" + JsonString.quoted(filter.toString()) + ",\"body\":";
  }

  /** The same of what a view leaves. */
  FilterText of(ViewText view) {
    return new FilterText(this, view);
  }

  /** Whether it is what a view leaves. */
  boolean isOf(ViewText view) {
    return text == view;
  }

  /** The record as the filter's Subscribers are sent it. */
  Frame frame(Entry entry) {
    Frame made = frame;
    if (made == null || encoded != entry) {
      made =
          entry.isRecord()
              ? Frame.ofRecord(opening, text(entry))
              : ControlFrames.about(filter, entry);
      frame = made;
      encoded = entry;
    }
    return made;
  }

  /** A record from before the present, with its age. */
  Frame past(Entry entry, boolean isStale) {
    return Frame.ofRecord(opening, entry.aged(text(entry), isStale));
  }

  private byte[] text(Entry entry) {
    return text == null ? entry.remainder() : text.of(entry);
  }
}
