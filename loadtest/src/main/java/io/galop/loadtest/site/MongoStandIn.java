package io.galop.loadtest.site;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.h2.H2Backend;

/** A server that speaks MongoDB's protocol, where MongoDB's own is missing. */
public final class MongoStandIn {
  private MongoStandIn() {}

  /** Takes the port and the file; runs until it is ended. */
  public static void main(String[] arguments) {
    MongoServer server = new MongoServer(new H2Backend(arguments[1]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
  }
}
