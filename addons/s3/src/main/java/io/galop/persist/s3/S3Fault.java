package io.galop.persist.s3;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/** What is wrong with a bucket, in words that go on a sentence about it. */
final class S3Fault {
  private static final int MOST_LETTERS = 200;

  /** By the code of the server's answer. */
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("NoSuchBucket", "is not there: make it, or see to bucket and endpoint"),
          Map.entry("InvalidAccessKeyId", "does not know the access key (login.user)"),
          Map.entry("SignatureDoesNotMatch", "refuses the secret key (login)"),
          Map.entry("AccessDenied", "refuses the write: the key needs s3:PutObject there"),
          Map.entry("AllAccessDisabled", "refuses every access"),
          Map.entry("ExpiredToken", "refuses the login, which has expired"),
          Map.entry("InvalidToken", "refuses the login's token"),
          Map.entry(
              "RequestTimeTooSkewed", "finds this machine's clock too far off: set it by NTP"),
          Map.entry("AuthorizationHeaderMalformed", "is in another region: see to region"),
          Map.entry("PermanentRedirect", "is in another region: see to region and endpoint"),
          Map.entry("BadDigest", "got other bytes than were sent"),
          Map.entry("QuotaExceeded", "is full"),
          Map.entry("XMinioStorageFull", "is full"),
          Map.entry("SlowDown", "asks for a pause"));

  private S3Fault() {}

  /**
   * Of what a call has thrown.
   *
   * @param timeoutMs the limit of an upload
   */
  static String of(RuntimeException failure, long timeoutMs) {
    if (failure instanceof AwsServiceException answer) {
      return answered(answer);
    }
    if (failure instanceof ApiCallTimeoutException) {
      return "has not taken a file within timeoutMs (" + timeoutMs + ")";
    }
    String said = String.valueOf(failure.getMessage());
    if (said.startsWith("Unable to load credentials")) {
      return "gets no keys: give login, or the variables, files or role of Amazon's client";
    }
    return "cannot be reached";
  }

  private static String answered(AwsServiceException answer) {
    String code =
        answer.awsErrorDetails() == null ? "" : text(answer.awsErrorDetails().errorCode());
    String said =
        answer.awsErrorDetails() == null ? "" : text(answer.awsErrorDetails().errorMessage());
    String words = WORDS.get(code);
    if (words == null) {
      words = answer.statusCode() == 507 ? "is full" : "has failed";
    }
    String details = (code + ' ' + said).strip();
    return "%s (%d%s)"
        .formatted(words, answer.statusCode(), details.isEmpty() ? "" : ", " + details);
  }

  /** One line of what a server says, which is anything. */
  private static String text(@Nullable String said) {
    if (said == null) {
      return "";
    }
    String line = said.replaceAll("\\s+", " ").strip();
    return line.length() <= MOST_LETTERS ? line : line.substring(0, MOST_LETTERS) + "…";
  }
}
