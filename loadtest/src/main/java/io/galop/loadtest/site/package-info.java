/** Nodes and stores that a scenario starts, with their files and ports, and their end. */
@NullMarked
package io.galop.loadtest.site;

import org.jspecify.annotations.NullMarked;
