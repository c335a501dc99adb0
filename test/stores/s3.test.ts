import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Conflict } from '../../src/ledger/documents.ts';
import { ConditionFailed, type ObjectBucket } from '../../src/stores/s3/bucket.ts';
import { objectDigestOf, readRunRecords } from '../../src/stores/s3/read-bucket.ts';
import { replaceInBucket } from '../../src/stores/s3/replace-in-bucket.ts';
import { toS3Problem } from '../../src/stores/s3/s3-error.ts';
import { storeContract } from '../ledger/contract/contract.ts';
import { cutAnswersContract } from '../ledger/contract/cut-answers.ts';
import { problemOf } from '../ledger/leases.ts';
import { Shell } from '../support/cli.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { blocksIn, storesGuide } from '../support/guide.ts';
import { keyText } from '../support/keys.ts';
import { temporary } from '../support/ledger-places.ts';
import { type S3Server, s3Program, startS3, withoutS3 } from '../support/s3-server.ts';
import { urlPlace } from '../support/store-places.ts';
import { all, oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';

const story = oneStoryIn(5);

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
const placeAt = (prefix: string, env: Record<string, string> = server.env) => ({
  ...urlPlace(urlOf(prefix), env, '/nonexistent'),
  isQuick: false,
});

/** In front of the service, with another answer to some requests. `lost`: it is done, then `meanwhile`, and the answer is lost. */
async function inFront(
  other: (
    method: string,
    headers: Record<string, unknown>,
    path: string,
  ) => number | 'through' | 'unconditional' | 'tagless' | 'lost',
  meanwhile = async () => {},
) {
  const front = createServer((asked, answer) => {
    const what = other(asked.method!, asked.headers, asked.url!);
    if (typeof what === 'number') {
      asked.resume();
      answer.writeHead(what, { 'content-type': 'application/xml' });
      return answer.end(
        '<?xml version="1.0"?><Error><Code>ConditionalRequestConflict</Code><Message>again</Message></Error>',
      );
    }
    const { 'if-match': _, 'if-none-match': __, ...free } = asked.headers;
    const headers = what === 'unconditional' ? free : asked.headers;
    const on = request(
      { host: '127.0.0.1', port: server.port, method: asked.method, path: asked.url, headers },
      async (back) => {
        if (what === 'lost') {
          back.resume();
          await meanwhile();
          return answer.destroy();
        }
        const { etag: _, ...tagless } = back.headers;
        answer.writeHead(back.statusCode!, what === 'tagless' ? tagless : back.headers);
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
  storeContract('s3', () => placeAt(newPrefix()), {
    isAtomic: true,
    isNamedByUrl: true,
    withProcesses: all,
    oneIn: 7,
  });
  cutAnswersContract(() => {
    const prefix = newPrefix();
    const through = { ...server.env, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${proxy.port}` };
    return { place: placeAt(prefix), through: () => placeAt(prefix, through).open(), proxy };
  });

  story(
    'machines go on from each other; a plan writes nothing; stacks know of each other; nothing unnamed stays',
    async () => {
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
      expect(JSON.parse(refused.stdout).diagnostics).toMatchObject([{ code: 'stack/owned', count: 4 }]);
      const objects = await server.objects(prefix);
      const head = JSON.parse(objects.get(`${prefix}/web/head.json`)!);
      expect(head.lease).toBeUndefined();
      expect([...objects.keys()].sort()).toEqual(
        [`${prefix}/web/head.json`, head.ledger.key, head.history['000001.json'].key].sort(),
      );
      expect([...objects.values()].join()).not.toContain('canary');
    },
  );

  it('a bucket that is not there, and credentials that are wrong or missing, are told and never shown', async () => {
    const shell = await machine(newPrefix(), 'web');
    await shell.withTwin();
    const cases: [string[], string][] = [
      [['--ledger', 's3://nowhere/x'], 'ledger/s3-bucket'],
      [['--ledger', 's3://canary:canary@ledgers/x'], 'cli/password'],
      [['--ledger', 's3:///x'], 'ledger/url'],
      [['--ledger', 's3://ledgers/%x'], 'ledger/url'],
      [['--ledger', 's3://ledgers/x?canary=odd'], 'ledger/url'],
      [['--ledger', 's3://ledgers/x?region=no.region'], 'ledger/s3-bucket'],
      [['--ledger', 's3://ledgers/x?endpoint=http://example.com'], 'ledger/url'],
      [['--ledger', 's3://ledgers/x?endpoint=http://127.0.0.1:9'], 'ledger/unreachable'],
    ];
    for (const [args, code] of cases) {
      const ran = await shell.run(['plan', '--json', ...args]);
      expect([args, JSON.parse(ran.stdout).diagnostics]).toMatchObject([args, [{ code }]]);
      expect(ran.all).not.toContain('canary');
    }
  });

  it('an endpoint that only a profile of AWS names is not spoken to unencrypted', async () => {
    const config = join(temporary(), 'config');
    writeFileSync(config, '[default]\nregion = eu-west-1\nendpoint_url = http://s3.invalid\n');
    const before = process.env.AWS_CONFIG_FILE;
    process.env.AWS_CONFIG_FILE = config;
    onTestFinished(() => {
      if (before === undefined) delete process.env.AWS_CONFIG_FILE;
      else process.env.AWS_CONFIG_FILE = before;
    });
    const { PATH, AWS_SECRET_ACCESS_KEY } = server.env;
    const env = {
      PATH: PATH!,
      AWS_SECRET_ACCESS_KEY: AWS_SECRET_ACCESS_KEY!,
      AWS_ACCESS_KEY_ID: 'of-a-profile',
    };
    const refused = await problemOf(placeAt(newPrefix(), env).open().read('ledger'));
    expect(refused).toMatchObject({
      code: 'ledger/url',
      message: 'the endpoint of the ledger is not an https:// address',
    });
  });

  it.each([
    ["ENOENT: no such file or directory, open '/run/token'", {}, 's3-denied', 'pass credentials'],
    ['Region is missing', {}, 's3-bucket', 'name the region'],
    [
      'Please re-send',
      { name: 'TemporaryRedirect', $metadata: { httpStatusCode: 307 } },
      's3-bucket',
      'name the region',
    ],
    ['connect ECONNREFUSED 127.0.0.1:9', {}, 'unreachable', 'check the network'],
  ])('%s %j is told as it is, with what to do', (message, more, code, hint) => {
    const told = toS3Problem('demo', 'read', Object.assign(new Error(message), more));
    expect(told).toMatchObject({ code: `ledger/${code}`, hint: expect.stringContaining(hint) });
    const { name = undefined } = more as { name?: string };
    expect(told.message).toBe(`the ledger demo cannot be read: ${name ? `${name}: ` : ''}${message}`);
  });

  story(
    'a bucket that takes nothing without a checksum, as with Object Lock, has one for each object',
    async () => {
      const prefix = newPrefix();
      const env = await inFront((method, headers) =>
        method === 'PUT' && headers['content-md5'] === undefined ? 400 : 'through',
      );
      const historyUpdate = { records: new Map([['000001.json', 'begun']]), message: 'Apply' };
      await placeAt(prefix, env).open().write('ledger', 'one', { expected: undefined, historyUpdate });
      expect((await placeAt(prefix).open().read('ledger'))!.text).toBe('one');
    },
  );

  oneRowIn(2)(['if-match', 'if-none-match'])(
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

  oneRowIn(3)([412, 409, 404])(
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

  it('the rights of the guide are those that are used: reading and listing for a plan, writing and removing for an apply', async () => {
    const [, policy] = blocksIn(storesGuide, 'json').map((text) => JSON.parse(text));
    const granted = policy.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action).sort();
    const used = new Set<string>();
    const prefix = newPrefix();
    const env = await inFront((method, _, path) => {
      const { pathname, searchParams } = new URL(path, 'http://x');
      const isList = pathname === '/ledgers' || pathname === '/ledgers/';
      if (isList) expect(searchParams.get('prefix')).toBe(`${prefix}/`);
      else expect(pathname).toMatch(new RegExp(`^/ledgers/${prefix}/`));
      used.add(isList ? 'list' : method);
      return 'through';
    });
    const shell = await machine(prefix, 'web');
    await shell.withTwin();
    Object.assign(shell.env, env);
    expect((await shell.run(['plan'])).status).toBe(0);
    expect((await shell.run(['log'])).status).toBe(0);
    expect([...used].sort()).toEqual(['GET', 'list']);
    expect((await shell.run(apply)).status).toBe(0);
    expect([...used].sort()).toEqual(['DELETE', 'GET', 'PUT', 'list']);
    expect(granted).toEqual(['s3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject']);
  });

  story('a service without tags is not written to: no condition would hold', async () => {
    const prefix = newPrefix();
    const version = await placeAt(prefix).open().write('ledger', 'one', { expected: undefined });
    let isTagless = true;
    const env = await inFront(() => (isTagless ? 'tagless' : 'through'));
    const documents = placeAt(prefix, env).open();
    const refused = await problemOf(documents.write('ledger', 'two', { expected: version }));
    expect(refused.code).toBe('ledger/s3-conditions');
    expect((await placeAt(prefix).open().read('ledger'))!.version).toBe(version);
    isTagless = false;
    await documents.write('ledger', 'two', { expected: version });
  });

  story(
    'a write whose answer got lost, and that another built upon, keeps what is named by now',
    async () => {
      const prefix = newPrefix();
      const theirs = placeAt(prefix).open();
      const version = await theirs.write('ledger', 'one', { expected: undefined });
      let isFirst = true;
      const env = await inFront(
        (method, headers) => {
          if (method !== 'PUT' || headers['if-match'] === undefined || !isFirst) return 'through';
          isFirst = false;
          return 'lost';
        },
        async () => {
          const { version: now } = (await theirs.read('ledger'))!;
          await theirs.write('ledger', 'three', { expected: now });
        },
      );
      const late = placeAt(prefix, env)
        .open()
        .write('ledger', 'two', {
          expected: version,
          historyUpdate: { records: new Map([['000001.json', 'by the second']]), message: 'Apply' },
        });
      await expect(late).rejects.toBeInstanceOf(Conflict);
      const now = placeAt(prefix).open();
      expect((await now.read('ledger'))!.text).toBe('three');
      expect([...(await now.history.read(await now.history.names()))]).toEqual([
        ['000001.json', 'by the second'],
      ]);
    },
  );

  story('a run still knows the head that it read while its write removed replaced objects', async () => {
    const prefix = newPrefix();
    const others = placeAt(prefix).open();
    const version = await others.write('ledger', 'one', { expected: undefined });
    let isFirst = true;
    const env = await inFront(
      (method) => {
        if (method !== 'DELETE' || !isFirst) return 'through';
        isFirst = false;
        return 'lost';
      },
      async () => {
        const { version: expected } = (await others.read('ledger'))!;
        const historyUpdate = { records: new Map([['000001.json', 'by the other']]), message: 'Apply' };
        await others.write('ledger', 'three', { expected, historyUpdate });
        expect((await ours.read('ledger'))!.text).toBe('three');
      },
    );
    const ours = placeAt(prefix, env).open();
    await ours.write('ledger', 'two', { expected: version });
    expect(isFirst).toBe(false);
    expect(await ours.history.names()).toEqual(['000001.json']);
  });

  story(
    'records are read while they are replaced; one that is gone, though it is named, is an error',
    async () => {
      const prefix = newPrefix();
      const historyUpdateOf = (text: string) => ({
        records: new Map([['000001.json', text]]),
        message: 'Apply',
      });
      const place = placeAt(prefix);
      const first = await place
        .open()
        .write('ledger', 'one', { expected: undefined, historyUpdate: historyUpdateOf('begun') });
      const reader = place.open();
      expect(await reader.history.names()).toEqual(['000001.json']);
      await place.open().write('ledger', 'two', { expected: first, historyUpdate: historyUpdateOf('ended') });
      expect(await reader.history.read(['000001.json'])).toEqual(new Map([['000001.json', 'ended']]));
      const head = JSON.parse((await server.objects(prefix)).get(`${prefix}/demo/head.json`)!);
      await server.drop(head.history['000001.json'].key);
      expect((await problemOf(place.open().history.read(['000001.json']))).code).toBe('ledger/content');
    },
  );

  story('of a prefix with much beside, only what is a stack is read', async () => {
    const prefix = newPrefix();
    await placeAt(prefix).open('web').write('ledger', 'web', { expected: undefined });
    await server.put(`${prefix}/else/where/head.json`, 'x');
    await server.put(`${prefix}/readme.txt`, 'x');
    expect(await placeAt(prefix).open('demo').readOtherLedgers()).toEqual([
      { place: `web at s3://ledgers/${prefix}`, text: 'web' },
    ]);
  });

  it('a head that is none, one that leads elsewhere, and an object that is another one are errors', async () => {
    const prefix = newPrefix();
    const place = placeAt(prefix);
    await place.open().write('ledger', 'one', { expected: undefined });
    const key = `${prefix}/demo/head.json`;
    const head = (await server.objects(prefix)).get(key)!;
    const { ledger } = JSON.parse(head);
    for (const [text, defect] of [
      [head.slice(0, -9), 'a format that this version of trueup does not know'],
      ['{}', 'a format that this version of trueup does not know'],
      [head.replace(`${prefix}/demo/objects`, 'elsewhere/objects'), 'an object outside of its folder'],
    ] as const) {
      await server.put(key, text);
      for (const work of [
        () => place.open().read('ledger'),
        () => place.open().write('lease', 'x', { expected: undefined }),
      ])
        expect(await problemOf(work())).toMatchObject({
          code: 'ledger/content',
          message: expect.stringContaining(defect),
        });
      expect((await server.objects(prefix)).get(key)).toBe(text);
    }
    await server.put(key, head);
    await server.put(ledger.key, 'another');
    expect((await problemOf(place.open().read('ledger'))).code).toBe('ledger/content');
  });
});

it('a first write whose probe another answer disturbs asks to run again', async () => {
  const bucket: ObjectBucket = {
    get: async () => undefined,
    put: async () => {
      throw new ConditionFailed();
    },
    deleteObjects: async () => {},
    listFolders: async () => [],
    listHeads: async () => new Map(),
  };
  const stack = {
    ...{ bucket, folder: 'shop/', place: 'shop at s3://ledgers' },
    readHead: async () => undefined,
    writeHead: async () => {},
  };
  const write = { name: 'ledger', text: '{}', expected: undefined, records: new Map() } as const;
  expect((await problemOf(replaceInBucket(stack, write))).code).toBe('ledger/contended');
});

it('records are read although a run replaces one of them again and again', async () => {
  const textOf = (name: string, version: number) => `${name} version ${version}`;
  const names = ['000001.json', '000002.json', '000003.json', '000004.json'];
  const running = names.at(-1)!;
  let version = 1;
  let getCount = 0;
  const objectOf = (name: string) => {
    const text = textOf(name, name === running ? version : 1);
    return { key: `shop/objects/${text}`, sha256: objectDigestOf(text) };
  };
  const readHead = async () => ({
    head: {
      trueup: 1 as const,
      history: Object.fromEntries(names.map((name) => [name, objectOf(name)])),
    },
    tag: String(version),
  });
  const get: ObjectBucket['get'] = async (key) => {
    getCount += 1;
    if (getCount > 50) throw new Error('the reading does not end');
    // The run writes faster than all records can be read.
    if (getCount % 3 === 0) version += 1;
    const isCurrent = names.some((name) => objectOf(name).key === key);
    return isCurrent ? { text: key.slice('shop/objects/'.length), tag: 'x' } : undefined;
  };
  const texts = await readRunRecords({ get }, await readHead(), readHead, names, 'shop');
  expect([...texts]).toEqual(names.map((name) => [name, textOf(name, name === running ? version : 1)]));
});

describe('what is no answer of a bucket', () => {
  const xml = (code: string, message: string) =>
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  const page = '<!doctype html><title>Sign in</title>';
  const answers: [number, string, Record<string, string>, string, RegExp][] = [
    [200, page, { etag: '"1"' }, 'ledger/store-failed', /login page/],
    [200, '', {}, 'ledger/(s3-conditions|store-failed)', /.*/],
    [
      302,
      '',
      { location: 'https://example.com/?canary' },
      'ledger/store-failed',
      /redirects are not followed/,
    ],
    [301, xml('PermanentRedirect', 'use the endpoint'), {}, 'ledger/s3-bucket', /region/],
    [400, xml('AuthorizationHeaderMalformed', "the region 'a' is wrong"), {}, 'ledger/s3-bucket', /region/],
    [403, xml('RequestTimeTooSkewed', 'too large'), {}, 'ledger/s3-clock', /clock of this machine/],
    [403, xml('AccessDenied', 'sts:AssumeRoleWithWebIdentity'), {}, 'ledger/s3-denied', /role must trust/],
    [403, xml('AccessDenied', 'Access Denied'), {}, 'ledger/s3-denied', /s3:GetObject/],
    [403, xml('ExpiredToken', 'expired'), {}, 'ledger/s3-denied', /credentials/],
    [503, xml('SlowDown', 'reduce your rate'), {}, 'ledger/unreachable', /busy/],
    [429, 'too many', {}, 'ledger/unreachable', /busy/],
    [500, page, {}, 'ledger/unreachable', /network/],
  ];
  it.each(sampled(answers, 2))(
    '%i %s is told with what to do, and nothing is taken for an empty place',
    async (status, text, headers, code, hint) => {
      const front = createServer((asked, answer) => {
        asked.resume();
        answer.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text);
      });
      await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
      onTestFinished(() => {
        front.closeAllConnections();
        front.close();
      });
      const { port } = front.address() as { port: number };
      const documents = placeAt('x', {
        PATH: process.env.PATH!,
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'canary',
      }).open();
      for (const work of [
        () => documents.read('ledger'),
        () => documents.readOtherLedgers(),
        () => documents.write('ledger', 'x', { expected: undefined }),
      ]) {
        const told = await problemOf(work());
        expect(told.code).toMatch(new RegExp(`^${code}$`));
        expect(told.hint).toMatch(hint);
        expect(JSON.stringify(told)).not.toMatch(/canary|doctype/);
      }
    },
  );
});
