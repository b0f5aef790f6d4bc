/** Horse-race markets for tests: generated ones, and recordings where they are at hand. */
package io.galop.market;
