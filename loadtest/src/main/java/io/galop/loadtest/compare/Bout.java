package io.galop.loadtest.compare;

import io.galop.loadtest.client.Transport;

/**
 * What is measured once in each round.
 *
 * @param server which
 * @param transport of the viewers
 * @param stalled how many viewers more never read
 */
record Bout(ServerName server, Transport transport, int stalled) {
  String label() {
    String spoken = server == ServerName.SOCKET_IO ? "" : " " + transport;
    return server + spoken + (stalled > 0 ? ", " + stalled + " stalled" : "");
  }

  boolean isGalop() {
    return server == ServerName.GALOP;
  }
}
