/** The services that test suites of the SockJS protocol speak to. */
package io.galop.broadcast.sockjs.testserver;
