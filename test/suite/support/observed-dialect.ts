/** A dialect that reports each statement that it executes. */
import type { CompiledQuery, DatabaseConnection, Dialect } from 'kysely';

export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

export function observedDialect(dialect: Dialect, see: (statement: Statement) => void): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const driver = dialect.createDriver();
      const watched = new WeakSet<DatabaseConnection>();
      const acquireConnection = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async (...options) => {
        const connection = await acquireConnection(...options);
        if (watched.has(connection)) return connection;
        watched.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = (query) => {
          see(query);
          return execute(query);
        };
        return connection;
      };
      return driver;
    },
  };
}
