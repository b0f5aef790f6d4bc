package io.galop.persist.mysql;

import io.galop.config.persist.MysqlConfig;
import io.galop.config.persist.StoreConfig;
import io.galop.persist.sql.SqlLink;
import io.galop.persist.sql.TableRetentionTest;
import io.galop.persist.store.Store;

class MysqlRetentionTest extends TableRetentionTest {
  @Override
  protected String brick() {
    return "mysql";
  }

  @Override
  protected Store store(SqlLink link, StoreConfig config) {
    return new MysqlStore(link, (MysqlConfig) config);
  }
}
