import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Conflict } from '../../src/ledger/documents.ts';
import { storeContract } from '../ledger/contract/contract.ts';
import { cutAnswersContract } from '../ledger/contract/cut-answers.ts';
import { problemOf } from '../ledger/leases.ts';
import { Shell } from '../support/cli.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { keyText } from '../support/keys.ts';
import { type S3Server, s3Program, startS3, withoutS3 } from '../support/s3-server.ts';
import { urlPlace } from '../support/store-places.ts';
import { all } from '../support/sweep.ts';

const isHere = s3Program() !== undefined;
if (!isHere) console.log(withoutS3);

let server: S3Server;
let proxy: CuttingProxy;
beforeAll(async () => {
  if (!isHere) return;
  server = await startS3();
  proxy = await cuttingProxy(server.port);
});
afterAll(async () => {
  await proxy?.close();
  await server?.close();
});

let made = 0;
const newPrefix = () => `place${made++}`;
const urlOf = (prefix: string) => `s3://ledgers/${prefix}`;
const placeAt = (prefix: string, env = server.env) => ({
  ...urlPlace(urlOf(prefix), env, '/nonexistent'),
  isQuick: false,
});

/** In front of the service, with another answer to some requests: `undefined` lets a request through. */
async function inFront(
  other: (method: string, headers: Record<string, unknown>) => number | 'through' | 'unconditional',
) {
  const front = createServer((asked, answer) => {
    const what = other(asked.method!, asked.headers);
    if (typeof what === 'number') {
      asked.resume();
      answer.writeHead(what, { 'content-type': 'application/xml' });
      return answer.end(
        '<?xml version="1.0"?><Error><Code>ConditionalRequestConflict</Code><Message>again</Message></Error>',
      );
    }
    const { 'if-match': _, 'if-none-match': __, ...free } = asked.headers;
    const headers = what === 'through' ? asked.headers : free;
    const on = request(
      { host: '127.0.0.1', port: server.port, method: asked.method, path: asked.url, headers },
      (back) => {
        answer.writeHead(back.statusCode!, back.headers);
        back.pipe(answer);
      },
    );
    asked.pipe(on);
  });
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    front.closeAllConnections();
    front.close();
  });
  return {
    ...server.env,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(front.address() as { port: number }).port}`,
  };
}

const yaml = (stack: string) => `stack: ${stack}
platform: { team: acme }
projects:
  web:
    framework: nextjs
    env: { A: { value: one, type: plain } }
`;
const apply = ['apply', '--auto-approve'];

async function machine(prefix: string, stack: string, settings: Record<string, string> = {}): Promise<Shell> {
  const shell = await new Shell().write({ 'trueup.yaml': yaml(stack) });
  shell.env = {
    ...server.env,
    CI: 'true',
    TRUEUP_LEDGER_KEY: keyText(),
    TRUEUP_LEDGER: urlOf(prefix),
    ...settings,
  };
  return shell;
}

describe.skipIf(!isHere)('S3', () => {
  storeContract('s3', () => placeAt(newPrefix()), { isAtomic: true, withProcesses: all, oneIn: 3 });
  cutAnswersContract(() => {
    const prefix = newPrefix();
    const through = { ...server.env, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${proxy.port}` };
    return { place: placeAt(prefix), through: () => placeAt(prefix, through).open(), proxy };
  });

  it('machines go on from each other; a plan writes nothing; stacks know of each other; nothing unnamed stays', async () => {
    const prefix = newPrefix();
    const first = await machine(prefix, 'web');
    const twin = await first.withTwin();
    const account = { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests' };
    expect((await first.run(['plan'])).status).toBe(0);
    expect(await server.objects(prefix)).toEqual(new Map());
    expect((await first.run(apply)).status).toBe(0);
    const second = await machine(prefix, 'web', account);
    expect(JSON.parse((await second.run(['plan', '--json'])).stdout).summary).toMatchObject({
      create: 0,
      noop: 2,
    });
    const other = await machine(prefix, 'other', account);
    const refused = await other.run(['plan', '--json']);
    expect(JSON.parse(refused.stdout).diagnostics).toMatchObject([
      { code: 'stack/owned' },
      { code: 'stack/owned' },
    ]);
    const objects = await server.objects(prefix);
    const head = JSON.parse(objects.get(`${prefix}/web/head.json`)!);
    expect(head.lease).toBeUndefined();
    expect([...objects.keys()].sort()).toEqual(
      [`${prefix}/web/head.json`, head.ledger.key, head.history['000001.json'].key].sort(),
    );
    expect([...objects.values()].join()).not.toContain('canary');
  });

  it('a bucket that is not there, and credentials that are wrong or missing, are told and never shown', async () => {
    const shell = await machine(newPrefix(), 'web');
    await shell.withTwin();
    const cases: [string[], string][] = [
      [['--ledger', 's3://nowhere/x'], 'ledger/s3-bucket'],
      [['--ledger', 's3://canary:canary@ledgers/x'], 'ledger/password'],
      [['--ledger', 's3:///x'], 'ledger/url'],
      [['--ledger', 's3://ledgers/%x'], 'ledger/url'],
      [['--ledger', 's3://ledgers/x?canary=odd'], 'ledger/url'],
      [['--ledger', 's3://ledgers/x?region=no.region'], 'ledger/s3-bucket'],
      [['--ledger', 's3://ledgers/x?endpoint=http://example.com'], 'ledger/url'],
      [['--ledger', 's3://ledgers/x?endpoint=http://127.0.0.1:9'], 'ledger/s3-unreachable'],
    ];
    for (const [args, code] of cases) {
      const ran = await shell.run(['plan', '--json', ...args]);
      expect([args, JSON.parse(ran.stdout).diagnostics]).toMatchObject([args, [{ code }]]);
      expect(ran.all).not.toContain('canary');
    }
  });

  it.each(['if-match', 'if-none-match'])(
    'a service that ignores %s keeps no ledger: it is probed before the first write',
    async (ignored) => {
      const prefix = newPrefix();
      const env = await inFront((_, headers) =>
        headers[ignored] === undefined ? 'through' : 'unconditional',
      );
      const documents = placeAt(prefix, env).open();
      const refused = await problemOf(documents.write('lease', 'mine', { expected: undefined }));
      expect(refused).toMatchObject({
        code: 'ledger/s3-conditions',
        message: expect.stringMatching(new RegExp(`${ignored} `, 'i')),
      });
      expect(await server.objects(prefix)).toEqual(new Map());
    },
  );

  it.each([412, 409, 404])(
    'an answer %i to a condition is a conflict: it is read again, and decided by what is there',
    async (status) => {
      const prefix = newPrefix();
      const version = await placeAt(prefix).open().write('ledger', 'one', { expected: undefined });
      let left = 2;
      const env = await inFront((_, headers) =>
        headers['if-match'] !== undefined && left-- > 0 ? status : 'through',
      );
      const documents = placeAt(prefix, env).open();
      const second = await documents.write('ledger', 'two', { expected: version });
      expect(left).toBe(-1);
      left = 1;
      const late = documents.write('ledger', 'three', { expected: version });
      await expect(late).rejects.toBeInstanceOf(Conflict);
      expect((await placeAt(prefix).open().read('ledger'))!.version).toBe(second);
    },
  );

  it('a head that is none, one that leads elsewhere, and an object that is another one are errors', async () => {
    const prefix = newPrefix();
    const place = placeAt(prefix);
    await place.open().write('ledger', 'one', { expected: undefined });
    const key = `${prefix}/demo/head.json`;
    const head = (await server.objects(prefix)).get(key)!;
    const { ledger } = JSON.parse(head);
    for (const text of [
      head.slice(0, -9),
      '{}',
      head.replace(`${prefix}/demo/objects`, 'elsewhere/objects'),
    ]) {
      await server.put(key, text);
      for (const work of [
        () => place.open().read('ledger'),
        () => place.open().write('lease', 'x', { expected: undefined }),
      ])
        expect((await problemOf(work())).code).toBe('ledger/s3-content');
      expect((await server.objects(prefix)).get(key)).toBe(text);
    }
    await server.put(key, head);
    await server.put(ledger.key, 'another');
    expect((await problemOf(place.open().read('ledger'))).code).toBe('ledger/s3-content');
  });
});
