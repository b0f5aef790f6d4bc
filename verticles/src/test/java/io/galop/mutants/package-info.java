/**
 * The product with one promise broken, for tests that prove that another test would notice. A
 * mutant is made from the product's own source: one statement is changed, its class compiled and
 * put into a jar with an agent that loads it in place of the product's. Nothing of it is in the
 * product.
 */
package io.galop.mutants;
