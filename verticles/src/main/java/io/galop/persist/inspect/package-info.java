/** The commands that look at the Log of a node that is not running. */
package io.galop.persist.inspect;
