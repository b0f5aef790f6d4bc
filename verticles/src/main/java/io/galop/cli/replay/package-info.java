/**
 * {@code galop replay}: recordings as CSV or JSON lines into a running node, at the pace of the
 * recording or faster, and from where it stopped. Runs on the main thread; answers of the door come
 * on the connection's own.
 */
@NullMarked
package io.galop.cli.replay;

import org.jspecify.annotations.NullMarked;
