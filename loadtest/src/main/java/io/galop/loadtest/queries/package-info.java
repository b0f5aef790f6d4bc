/** Questions about the past: how long answers take and how many a second, beside a static file. */
package io.galop.loadtest.queries;
