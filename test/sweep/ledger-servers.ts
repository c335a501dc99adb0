import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  withoutPostgres,
} from '../support/postgres.ts';
import { type S3Server, s3Program, startS3, withoutS3 } from '../support/s3-server.ts';
import { startStateServer, type TestStateServer } from '../support/state-server.ts';

export type LedgerKind = 'file' | 'git' | 'postgres' | 's3' | 'http';

/** The servers that ledgers can be kept on. Each is started for its first story and used by all of them. */
export class LedgerServers {
  #postgres: Promise<PostgresServer> | undefined;
  #s3: Promise<S3Server> | undefined;
  #http: Promise<TestStateServer> | undefined;
  #places = 0;

  /** Returns why a kind cannot be used on this machine; undefined if it can. */
  static missing(kind: LedgerKind): string | undefined {
    if (kind === 'postgres' && postgresPrograms() === undefined) return withoutPostgres;
    return kind === 's3' && s3Program() === undefined ? withoutS3 : undefined;
  }

  /** Returns the environment variables that keep the ledgers of a new workspace in a place of their own. */
  async newPlace(kind: LedgerKind): Promise<Record<string, string>> {
    const name = `place_${process.pid}_${this.#places++}`;
    switch (kind) {
      case 'file':
        return {};
      case 'git':
        return { TRUEUP_LEDGER: 'git' };
      case 'postgres': {
        this.#postgres ??= startPostgres();
        const { env } = await this.#postgres;
        return { ...env, TRUEUP_LEDGER: `postgres:///postgres?schema=${name}` };
      }
      case 's3': {
        this.#s3 ??= startS3();
        const { env, bucket } = await this.#s3;
        return { ...env, TRUEUP_LEDGER: `s3://${bucket}/${name}` };
      }
      case 'http': {
        this.#http ??= startStateServer();
        const { url } = await this.#http;
        return {
          TRUEUP_LEDGER: `${url}/${name}/{stack}`,
          TRUEUP_LEDGER_INDEX: `${url}/${name}/index`,
        };
      }
    }
  }

  async close(): Promise<void> {
    await (await this.#postgres)?.remove();
    await (await this.#s3)?.close();
    await (await this.#http)?.close();
  }
}
