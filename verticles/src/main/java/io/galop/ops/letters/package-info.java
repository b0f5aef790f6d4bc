/**
 * Dead letters for operators: looks at those of all nodes that store, and sends the records in
 * again that they are about. How a letter is read stands in {@link io.galop.letter}. Belongs to the
 * event loop of the port; what reads many letters does so on a worker thread.
 */
@NullMarked
package io.galop.ops.letters;

import org.jspecify.annotations.NullMarked;
