/** How long to wait before something that failed is tried again. */
@NullMarked
package io.galop.retry;

import org.jspecify.annotations.NullMarked;
