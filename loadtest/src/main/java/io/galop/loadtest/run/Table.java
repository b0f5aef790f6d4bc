package io.galop.loadtest.run;

import java.util.List;

/**
 * A table of a report.
 *
 * @param title above it
 * @param head of its columns
 * @param rows of cells
 */
public record Table(String title, List<String> head, List<List<String>> rows) {}
