package io.galop.broadcast.deflate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which offers are accepted (RFC 7692, 7.1), and with which words. */
class DeflateOfferTest {
  private static final String ANSWER =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=8",
        "permessage-deflate; client_max_window_bits=\"10\"",
        "permessage-deflate;server_no_context_takeover ;  client_no_context_takeover",
        "x-webkit-deflate-frame, permessage-deflate",
        "permessage-deflate; server_max_window_bits=10, permessage-deflate",
        "permessage-deflate; what, permessage-deflate; client_max_window_bits",
      })
  void isAccepted(String offer) {
    assertEquals(Optional.of(ANSWER), DeflateOffer.answer(List.of(offer)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "permessage-bzip2",
        "Permessage-deflate-more",
        "permessage-deflate;",
        "permessage-deflate; what",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=14",
        "permessage-deflate; server_max_window_bits=8",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=015",
        "permessage-deflate; server_max_window_bits=",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; client_max_window_bits; client_max_window_bits",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        ";=,;\"",
      })
  void isDeclined(String offer) {
    assertEquals(Optional.empty(), DeflateOffer.answer(List.of(offer)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"15", "\"15\""})
  void theWholeWindowIsSaidAgain(String bits) {
    assertEquals(
        Optional.of(ANSWER + "; server_max_window_bits=15"),
        DeflateOffer.answer(
            List.of("x-other", "permessage-deflate; server_max_window_bits=" + bits)));
  }
}
