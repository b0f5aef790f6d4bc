/**
 * What stores in SQL databases share: the way to the database, by the clients of Vert.x on event
 * loops or by JDBC on threads with a connection each, and what is done to the table of records in
 * SQL that all of them know. The packages of the databases build on it; nobody else calls it.
 */
@NullMarked
package io.galop.persist.sql;

import org.jspecify.annotations.NullMarked;
