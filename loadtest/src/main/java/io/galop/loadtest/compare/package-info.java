/** {@code load peers}: the same load on Galop and on its peers, turn about in one run. */
@NullMarked
package io.galop.loadtest.compare;

import org.jspecify.annotations.NullMarked;
