import { startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { atEnd } from './at-end.ts';
import { Shell } from './cli.ts';
import type { PostgresServer } from './postgres.ts';

let made = 0;
/** The token of all runs. */
export const token = 'canary-token-of-all';
export const apply = ['apply', '--auto-approve', '--settle', '0'];

export const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `{ type: A, name: h${at}, value: 192.0.2.1 }`);
export const yaml = (at: number, rows: string[]) =>
  `stack: s${at}\nplatform: { team: acme }\ndomains: { zone-${at}.com: { $existing: true, records: [${rows}] } }\n`;

/** An account with a domain for each run, and the machines that the runs are on. Each has so many records to make. */
export async function place(
  server: PostgresServer,
  runs: number,
  records: number,
  options: TwinOptions = {},
) {
  const schema = `limits_${made++}`;
  const domains = Array.from({ length: runs }, (_, at) => ({ name: `zone-${at}.com` }));
  const twin = await startTwin({ seed: { domains }, rateLimits: 'assumed', limitWindowMs: 3000, ...options });
  atEnd(() => twin.close());
  const machines = await Promise.all(
    domains.map(async (_, at) => {
      const shell = await new Shell().write({ 'trueup.yaml': yaml(at, rowsOf(records)) });
      shell.env = {
        ...server.env,
        TRUEUP_BASE_URL: twin.url,
        TRUEUP_TOKEN: token,
        TRUEUP_LIMITS: `postgres:///postgres?schema=${schema}`,
      };
      return shell;
    }),
  );
  const buckets = async () => {
    const { rows } = await server.query(`select * from ${schema}.limits`);
    return rows as { account: string; bucket: string; state: string }[];
  };
  const creations = async () =>
    JSON.parse((await buckets()).find(({ bucket }) => bucket.endsWith('dns-record-create'))!.state) as {
      runs: Record<string, { seen: number; held: number }>;
    };
  return { twin, machines, schema, buckets, creations };
}

/** How many requests were refused. */
export const limited = (twin: Twin) => twin.requests.filter(({ status }) => status === 429).length;
/** How many records somebody wanted to make. */
export const writes = (twin: Twin) => twin.requests.filter(({ method }) => method === 'POST').length;
