package io.galop.persist.mongo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.config.ConfigLoader;
import io.galop.config.persist.MongoConfig;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MongoEventLoopLinkTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void aQuestionBehindTheEndIsRefusedInWords() {
    MongoConfig config =
        (MongoConfig)
            ConfigLoader.load(
                    Optional.empty(), Map.of(), List.of("persist.cold.stores=[mongodb]"), Map.of())
                .persist()
                .cold()
                .stores()
                .get(0);
    MongoEventLoopLink link = new MongoEventLoopLink(vertx, config);
    link.close();
    MongoFind find = new MongoFind("records", new BsonDocument(), new BsonDocument(), 1);
    String said =
        assertThrows(IllegalStateException.class, () -> link.read(find).await()).getMessage();
    assertEquals("the store is closed", said);
  }
}
