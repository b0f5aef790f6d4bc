package io.galop.loadtest.inject;

import java.nio.file.Path;
import java.util.List;

/**
 * Rings that a node has made.
 *
 * @param jar galop.jar, whose public class for publishers is used
 * @param paths the rings, one for each connection
 */
public record RingFiles(Path jar, List<Path> paths) {}
