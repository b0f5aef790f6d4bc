/** The cold tier: a store that follows the Log and answers queries about the past. */
package io.galop.persist.cold;
