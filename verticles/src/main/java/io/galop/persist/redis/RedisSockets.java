package io.galop.persist.redis;

import io.galop.config.persist.RedisConfig;
import io.galop.store.StoreTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Makes the sockets of blocking connections, with a bound on every wait. */
record RedisSockets(RedisConfig config) implements JedisSocketFactory {

  @Override
  public Socket createSocket() {
    Socket socket = new Socket();
    try {
      int timeoutMs = (int) config.sink().timeoutMs();
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.connect(new InetSocketAddress(config.host(), config.port()), timeoutMs);
      socket.setSoTimeout(timeoutMs);
      return config.tls().enabled() ? encrypted(socket) : socket;
    } catch (IOException | GeneralSecurityException e) {
      close(socket);
      throw new JedisConnectionException(
          "no connection to " + config.host() + ":" + config.port() + ", " + e.getMessage(), e);
    }
  }

  private Socket encrypted(Socket socket) throws IOException, GeneralSecurityException {
    SSLSocket encrypted =
        (SSLSocket)
            StoreTls.context(config.tls())
                .getSocketFactory()
                .createSocket(socket, config.host(), config.port(), true);
    if (config.tls().verifyHost()) {
      SSLParameters parameters = encrypted.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      encrypted.setSSLParameters(parameters);
    }
    encrypted.startHandshake();
    return encrypted;
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new JedisConnectionException("a socket cannot be closed", e);
    }
  }
}
