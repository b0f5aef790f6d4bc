package io.galop.broadcast.mqtt;

/** What a client asked for and does not get, as MQTT says it. */
public final class MqttRefused extends Exception {
  private static final long serialVersionUID = 1;

  /** The reason codes of MQTT 5 that are used, 2.4. */
  public static final int MALFORMED = 0x81;

  public static final int PROTOCOL_ERROR = 0x82;
  public static final int OTHER = 0x83;
  static final int UNSUPPORTED_VERSION = 0x84;
  static final int BAD_CLIENT_ID = 0x85;
  public static final int BAD_TOKEN = 0x86;
  public static final int NOT_AUTHORIZED = 0x87;
  public static final int UNAVAILABLE = 0x88;
  public static final int BUSY = 0x89;
  public static final int SHUTTING_DOWN = 0x8b;
  static final int BAD_METHOD = 0x8c;
  static final int SILENT = 0x8d;
  static final int TAKEN_OVER = 0x8e;
  public static final int BAD_FILTER = 0x8f;
  static final int TOO_LARGE = 0x95;
  public static final int QUOTA = 0x97;
  static final int NOT_SHARED = 0x9e;
  public static final int TOO_FAST = 0x9f;

  private final int code;
  private final String sentence;

  /**
   * @param code of MQTT 5
   * @param message what is wrong and what to do, in a sentence
   */
  public MqttRefused(int code, String message) {
    super(message, null, false, false);
    this.code = code;
    this.sentence = message;
  }

  /** The reason code of MQTT 5. */
  int code() {
    return code;
  }

  /** What a CONNACK of MQTT 3.1.1 says of a code (3.2.2.3). */
  static int before5(int code) {
    return switch (code) {
      case UNSUPPORTED_VERSION -> 1;
      case BAD_CLIENT_ID -> 2;
      case BAD_TOKEN -> 4;
      case NOT_AUTHORIZED, BAD_METHOD -> 5;
      default -> 3;
    };
  }

  @Override
  public String getMessage() {
    return sentence;
  }
}
