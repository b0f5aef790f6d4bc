package io.galop.enrich.script.mapping;

/**
 * Rows by key.
 *
 * @param row the name of the row that the table is in; empty: in the topic's state
 * @param name its name there
 * @param place where it is written
 */
record StateTable(String row, String name, MappingPlace place) {}
