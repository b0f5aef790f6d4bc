package io.galop.cli;

import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the option that says where a node is reached over HTTP. */
public final class NodeUrl implements ITypeConverter<URI> {
  private static final int MOST_PORT = 65_535;

  @Override
  public URI convert(String written) {
    try {
      return read(written);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(wrong.getMessage());
    }
  }

  /**
   * For commands that picocli does not give the converter.
   *
   * @throws IllegalArgumentException saying the right form
   */
  public static URI read(String written) {
    try {
      URI url = new URI(written);
      boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (isHttp && url.getHost() != null && url.getPort() <= MOST_PORT) {
        return url;
      }
    } catch (URISyntaxException e) {
      // what is wrong with it helps less than what is right
    }
    throw new IllegalArgumentException(
        "'%s' is not where a node is reached; --url must be http://HOST:PORT or https://HOST:PORT"
            .formatted(written));
  }
}
