/** What the stages that speak to stores share. */
package io.galop.bus.store;
