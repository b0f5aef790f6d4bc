/**
 * What a node counts at the borders between its stages, minute by minute, and whether it balances.
 * A {@link io.galop.ledger.Book} belongs to the one thread that counts in it; the {@link
 * io.galop.ledger.NodeLedger} may be asked from any. Nothing here knows a stage, or another node.
 */
@NullMarked
package io.galop.ledger;

import org.jspecify.annotations.NullMarked;
