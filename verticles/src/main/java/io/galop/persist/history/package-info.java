/**
 * Questions about the past: {@code /history} and what broadcast nodes ask for it. Merges memory and
 * stores, shares answers that are asked for together, and bounds what is on its way. Runs on the
 * event loop of the request; stores answer from threads of their own, and rows are folded on worker
 * threads, a page at a time.
 */
@NullMarked
package io.galop.persist.history;

import org.jspecify.annotations.NullMarked;
