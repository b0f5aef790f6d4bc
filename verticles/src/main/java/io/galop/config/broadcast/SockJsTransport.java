package io.galop.config.broadcast;

/** A way of browsers to be connected. */
public enum SockJsTransport {
  WEBSOCKET,
  XHR_STREAMING,
  XHR_POLLING,
  EVENTSOURCE,
  HTMLFILE,
  JSONP
}
