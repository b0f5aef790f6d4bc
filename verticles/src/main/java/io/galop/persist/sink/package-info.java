/** What follows the Log: sinks, each with a cursor and a store of its own. */
package io.galop.persist.sink;
