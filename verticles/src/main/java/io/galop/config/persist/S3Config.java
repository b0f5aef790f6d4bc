package io.galop.config.persist;

import io.galop.config.enrich.EnricherConfig;
import io.galop.config.store.StoreLoginConfig;
import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** A bucket of an object store that gets the files of an archive; needs the add-on. */
@Brick("s3")
@Doc("A bucket of an S3-compatible object store with the files of an archive, each record once.")
public record S3Config(
    @Doc("Its name in meters, status, messages and object names.") @Default("s3") String name,
    @Doc("http:// or https://, host and port; empty: Amazon's of the region.") @Default("")
        String endpoint,
    @Doc("The bucket's region; others than Amazon mostly take any.") @Default("us-east-1")
        String region,
    @Doc("The existing bucket.") String bucket,
    @Doc("What the names of all objects begin with, such as feed/.") @Default("") String prefix,
    @Doc("Whether the bucket is in the path, not in the host's name, as MinIO and Ceph want it.")
        @Default("false")
        boolean pathStyle,
    @Doc(
            "The access key as user, the secret key as password; empty: what Amazon's client "
                + "finds, such as AWS_ACCESS_KEY_ID or the machine's role.")
        StoreLoginConfig login,
    @Doc("A PEM file of trusted certificates; empty: those that Java trusts.") @Default("")
        String caFile,
    @Doc("A local directory for files until they are in the bucket; made if missing.")
        String directory,
    @Doc("Filters of the topics that are kept.") @Default("[\"#\"]") List<String> topics,
    @Doc("Keeps one in this many records, chosen by topic and id.")
        @Default("1")
        @Range(min = 1, max = 1_000_000)
        int every,
    @Doc("Levels of the topic that each have objects of their own; 0: one for all topics.")
        @Default("1")
        @Range(min = 0, max = 9)
        int prefixLevels,
    @Doc("Compressed size at which a file is finished and uploaded.")
        @Default("67108864")
        @Range(min = 1_024, max = 4_294_967_296L)
        long maxFileBytes,
    @Doc("Age at which a file is finished and uploaded.")
        @Default("900")
        @Range(min = 1, max = 86_400)
        int maxFileSeconds,
    @Doc("Unfinished files between batches; beyond, the oldest is finished.")
        @Default("64")
        @Range(min = 1, max = 4_096)
        int maxOpenFiles,
    @Doc("gzip's level, from fast to small.") @Default("6") @Range(min = 1, max = 9)
        int compressionLevel,
    @Doc("Approximate bytes that are written and synced at once, uncompressed.")
        @Default("4194304")
        @Range(min = 1024, max = 67_108_864)
        int batchBytes,
    @Doc("How long a batch waits for more records.") @Default("5000") @Range(min = 0, max = 20_000)
        int batchMs,
    @Doc("Time limit of an upload; after five of them a batch counts as not answered.")
        @Default("60000")
        @Range(min = 100, max = 600_000)
        long timeoutMs,
    @Doc("Longest pause between attempts; the first is 100 and each doubles.")
        @Default("10000")
        @Range(min = 100, max = 600_000)
        long maxPauseMs,
    @Doc("Lag at which the node is unready; 0 never.") @Default("0") @Range(min = 0, max = 86_400)
        int unreadyLagSeconds)
    implements StoreConfig {

  /** A batch may finish several files, which are uploaded one after the other. */
  private static final int UPLOADS_OF_A_BATCH = 5;

  public S3Config {
    StoreConfig.checkName(name);
    EnricherConfig.require("directory", directory);
    topics = EnricherConfig.checkedTopics(topics);
    require(
        endpoint.isEmpty() || endpoint.matches("https?://[^\\s/@?#]+/?"),
        "endpoint must be http:// or https:// with host and port, "
            // What is before an '@' may be a secret.
            + (endpoint.contains("@") ? "and keys in login" : "not '" + endpoint + "'"));
    require(region.matches("[a-zA-Z0-9-]{1,64}"), "region must be letters, digits and '-'");
    require(
        bucket.matches("[a-zA-Z0-9][a-zA-Z0-9._-]{1,254}"),
        "bucket must be a bucket's name, not '" + bucket + "'");
    require(
        prefix.matches("([a-zA-Z0-9!_.*'()=-]+/)*") && prefix.length() <= 256,
        "prefix must be names that each end with '/', such as feed/, not '" + prefix + "'");
    require(
        caFile.isEmpty() || !endpoint.startsWith("http:"),
        "caFile must be empty with an endpoint in clear text");
    require(
        login.user().isEmpty()
            == (login.password() + login.passwordFile() + login.passwordVariable()).isEmpty(),
        "login must have the access key as user and the secret key as password, or neither");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** The archive on this machine whose finished files are uploaded. */
  public ArchiveConfig archive() {
    return new ArchiveConfig(
        name,
        directory,
        topics,
        every,
        prefixLevels,
        maxFileBytes,
        maxFileSeconds,
        maxOpenFiles,
        compressionLevel,
        batchBytes,
        batchMs,
        0,
        UPLOADS_OF_A_BATCH * timeoutMs,
        maxPauseMs,
        unreadyLagSeconds);
  }

  @Override
  public SinkConfig sink() {
    return archive().sink();
  }

  @Override
  public SamplingConfig sampling() {
    return archive().sampling();
  }

  /** The bucket's own rules delete what is old. */
  @Override
  public int retentionHours() {
    return 0;
  }
}
