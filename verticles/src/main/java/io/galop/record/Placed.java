package io.galop.record;

/** A Record and where its owner has put it. */
public record Placed(Position position, Record record) {}
