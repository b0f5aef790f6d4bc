/** A cold store in a MySQL or MariaDB database. */
package io.galop.persist.mysql;
