/** {@code load peers}: the same load on Galop and on its peers, turn about in one run. */
package io.galop.loadtest.compare;
