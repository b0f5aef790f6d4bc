/** What is made of the answers of polled systems; knows neither requests nor doors. */
package io.galop.ingest.poll;
