package io.galop.client;

/**
 * One topic of a filter was silent for too long, or is back.
 *
 * @param isStale whether it is silent
 */
public record TopicAge(String topic, boolean isStale) {}
