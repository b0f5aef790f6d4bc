/** A cold store in a MongoDB database. */
package io.galop.persist.mongo;
