package io.galop.loadtest.compare;

import io.galop.loadtest.client.ViewerTransport;

/**
 * What is measured once in each round.
 *
 * @param server which
 * @param transport of the viewers
 */
record Bout(ServerName server, ViewerTransport transport) {
  String label() {
    String spoken = server == ServerName.SOCKET_IO ? "" : " " + transport;
    return server + spoken;
  }

  boolean isGalop() {
    return server == ServerName.GALOP || server == ServerName.GALOP_TLS;
  }
}
