package io.galop.ops.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnPortTest {
  @ParameterizedTest
  @CsvSource({"::1,[::1]", "::,[::]", "127.0.0.1,127.0.0.1", "localhost,localhost"})
  void theHeaderHostHasAnIpv6AddressInBrackets(String address, String host) {
    SocketAddress at = SocketAddress.inetSocketAddress(8080, address);
    RequestOptions request = OwnPort.to(at, "/live", new RequestOptions());
    assertEquals(host, request.getHost());
    assertEquals(8080, request.getPort());
    assertEquals(at, request.getServer(), "that is connected to as it is");
  }
}
