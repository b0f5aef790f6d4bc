/** Questions about the past: how long answers take and how many a second, beside a static file. */
@NullMarked
package io.galop.loadtest.queries;

import org.jspecify.annotations.NullMarked;
