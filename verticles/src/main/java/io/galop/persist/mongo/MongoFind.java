package io.galop.persist.mongo;

import org.bson.BsonDocument;

/**
 * A question.
 *
 * @param limit most documents, and as many as the server sends at once: the default of some clients
 *     makes some servers set aside gigabytes
 */
record MongoFind(String collection, BsonDocument filter, BsonDocument sort, int limit) {}
