package io.galop;

import io.vertx.ext.web.Router;

/** What a stage adds to the HTTP port; made once for each event loop, on that loop. */
interface Routes {
  void mount(Router router);
}
