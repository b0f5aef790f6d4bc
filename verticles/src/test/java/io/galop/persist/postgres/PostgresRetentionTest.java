package io.galop.persist.postgres;

import io.galop.config.persist.PostgresConfig;
import io.galop.config.persist.StoreConfig;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableRetentionTest;
import io.galop.persist.store.Store;

class PostgresRetentionTest extends TableRetentionTest {
  @Override
  protected String brick() {
    return "postgres";
  }

  @Override
  protected Store store(SqlLink link, StoreConfig config) {
    return new PostgresStore(link, (PostgresConfig) config);
  }
}
