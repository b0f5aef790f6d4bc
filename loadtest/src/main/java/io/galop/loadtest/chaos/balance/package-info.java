/** What the Ledgers of a run's nodes say in the end; nothing here asks a node. */
@NullMarked
package io.galop.loadtest.chaos.balance;

import org.jspecify.annotations.NullMarked;
