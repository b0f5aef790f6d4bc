package io.galop.broadcast.hub;

import io.galop.record.TopicFilter;

/** Which place of a rate a topic has for a registration under a cap. */
public final class SharedPlaces {
  private SharedPlaces() {}

  public static int place(String filter, String topic) {
    int salt = TopicFilter.parse(filter, 100).hashCode();
    return TopicPace.place(CapPace.key(topic, salt));
  }
}
