package io.galop.client;

/**
 * Gives a token: asked for each connection and question, and before the one in use expires. It is
 * called on the client's executor and may block; the client waits 30 seconds for it.
 */
@FunctionalInterface
public interface TokenSource {
  /**
   * @return a JSON Web Token, or an empty text for none
   * @throws Exception if there is none now: the client asks again, with the next connection
   */
  String token() throws Exception;
}
