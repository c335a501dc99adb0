import { expect, onTestFinished } from 'vitest';
import { isRecordFileName } from '../../../src/ledger/documents.ts';
import { keyText } from '../../support/keys.ts';
import { gitEnv, type Place } from '../../support/ledger-places.ts';
import { RecordedSite } from '../../support/recorded-site.ts';
import type { Scenario } from './contract.ts';

/*
 * What SECURITY.md promises of a ledger, and what every command does with it, in a store that a URL names. Whoever may write the store
 * is played by writing its documents without the key.
 */

/** Somebody's desk, whose ledgers are in a store of its own. */
async function deskAt({ words, env, open }: Place) {
  const secret = 'canary0f3asecretoftherun00000000';
  const settings = {
    ...gitEnv,
    ...env,
    TRUEUP_LEDGER: words()[1]!,
    CI: 'true',
    TRUEUP_SECRET_s: secret,
    TRUEUP_TOKEN: 'canary-token',
  };
  const site = await RecordedSite.open(settings, { projects: [{ name: 'theirs' }] });
  const writes = () => site.twin.requests.filter(({ method }) => method !== 'GET').length;
  /** All that a stack has there, as text. */
  const kept = async (stack = 'shop') => {
    const documents = open(stack);
    const ledger = (await documents.read('ledger'))?.text ?? '';
    const records = await documents.history.read(await documents.history.names());
    return {
      ledger,
      records,
      lease: await documents.read('lease'),
      all: [ledger, ...records.values()].join(),
    };
  };
  /** Writes a ledger, and records beside it, as whoever may write there can. Without a text the ledger goes. */
  const put = async (
    change: (text: string) => string | undefined,
    history: [string, string | undefined][] = [],
  ) => {
    const documents = open('shop');
    const { text, version: expected } = (await documents.read('ledger'))!;
    const historyUpdate = { records: new Map(history), message: 'Forge' };
    const next = change(text);
    if (next === undefined) await documents.remove('ledger', { expected, historyUpdate });
    else await documents.write('ledger', next, { expected, historyUpdate });
  };
  const refused = async (args: string[], told: RegExp) => {
    const ran = await site.run(args);
    expect([args, ran.status, ran.stderr]).toMatchObject([args, 1, expect.stringMatching(told)]);
    expect(ran.all).not.toContain('canary');
    return ran;
  };
  const plan = async () => JSON.parse((await site.run(['plan', '--json'])).stdout);
  return { site, secret, writes, kept, put, refused, plan };
}

const body = (env = 'A: { value: a, type: plain }, B: { value: b, type: plain }') => `secrets: { s: {} }
projects: { web: { framework: nextjs, env: { ${env}, S: { value: "x-\${secret.s}", type: sensitive, target: [production] } } } }
`;
const less = body('A: { value: a, type: plain }');
const apply = ['apply', '--auto-approve', '--settle', '0'];
const every = [apply, ['destroy', '--confirm', 'shop'], ['ledger', 'forget', 'projects/web']];

export function promisesContract(newPlace: () => Place, scenario: Scenario): void {
  scenario(
    'a plan writes nothing there, without the key nothing is applied, and no secret is in it',
    async () => {
      const { site, secret, kept, writes, refused } = await deskAt(newPlace());
      site.commit(body());
      expect((await site.run(['plan'])).status).toBe(0);
      expect(await kept()).toMatchObject({ all: '', lease: undefined });
      await site.apply();
      const [before, sent] = [await kept(), writes()];
      site.commit(less);
      for (const args of [[], ['--out', 'plan.json'], ['--json']])
        expect((await site.run(['plan', ...args])).all).toContain('delete');
      const { TRUEUP_LEDGER_KEY: _, ...keyless } = site.env;
      site.env = keyless;
      expect((await site.run(['plan'])).stderr).toContain('not verified here: no key');
      for (const args of every) await refused(args, /no key/);
      expect([await kept(), writes()]).toEqual([before, sent]);
      expect(before.all).toContain('projects/web/env/S@production');
      for (const text of [secret, 'canary', keyText()]) expect(before.all).not.toContain(text);
    },
  );

  scenario('what the key does not verify is not acted on, whoever may write there', async () => {
    const { site, kept, put, writes, refused, plan } = await deskAt(newPlace());
    site.commit(body());
    await site.apply();
    site.commit(less);
    const { ledger: genuine } = await kept();
    const [stranger] = site.twin.account.projects.filter(({ name }) => name === 'theirs');
    const forged = (text: string) => {
      const { signature, ...ledger } = JSON.parse(text);
      ledger.entries['projects/theirs'] = { ...ledger.entries['projects/web'], ids: [stranger!.id] };
      return `${JSON.stringify({ ...ledger, signature }, null, 2)}\n`;
    };
    const sent = writes();
    for (const [sign, code] of [
      [(text: string) => text, 'ledger/altered'],
      [(text: string) => text.replace(/,\n {2}"signature": "[^"]*"/, ''), 'ledger/unsigned'],
      [(text: string) => text.replace(/("signature": ")\w+/, '$1aaaaaaaaaaaa'), 'ledger/other-key'],
    ] as const) {
      await put(() => sign(forged(genuine)));
      const { summary, diagnostics } = await plan();
      expect(summary).toMatchObject({ delete: 0, replace: 0 });
      expect(diagnostics.map((one: { code: string }) => one.code)).toContain(code);
      for (const args of every) await refused(args, /trueup ledger sign/);
    }
    // A ledger of another stack, signed as it is.
    await put(() => genuine.replace('"stack": "shop"', '"stack": "other"'));
    await refused(apply, /\[ledger\/foreign\]/);
    expect([writes(), (await kept()).lease]).toEqual([sent, undefined]);
    await put(() => forged(genuine));
    const shown = await refused(['ledger', 'sign'], /--generation \d+ --digest \w{64}/);
    expect(shown.stdout).toContain('projects/theirs');
    const flags = /--generation \d+ --digest \w{64}/.exec(shown.stderr)![0].split(' ');
    // What was looked at is not what is there any more.
    await put(() => forged(genuine).replace('"created"', '"adopted"'));
    await refused(['ledger', 'sign', ...flags], /./);
    await put(() => genuine);
    expect(JSON.parse((await kept()).ledger).entries['projects/theirs']).toBeUndefined();
  });

  scenario('an older ledger takes no sealed plan; one that is gone makes nothing be deleted', async () => {
    const { site, kept, put, writes, refused } = await deskAt(newPlace());
    site.commit(body());
    await site.apply();
    const { ledger: older } = await kept();
    site.commit(body('A: { value: c, type: plain }, B: { value: b, type: plain }'));
    await site.apply();
    site.commit(less);
    expect((await site.run(['plan', '--out', 'plan.json'])).status).toBe(0);
    const sent = writes();
    await put(() => older);
    await refused(['apply', 'plan.json', '--settle', '0'], /plan.json was made on generation 4/);
    expect(writes()).toBe(sent);
    await put(
      () => undefined,
      [
        ['000001.json', undefined],
        ['000002.json', undefined],
      ],
    );
    await site.apply();
    expect(
      site.twin.account.projects
        .find(({ name }) => name === 'web')!
        .env.map(({ key }) => key)
        .sort(),
    ).toEqual(['A', 'B', 'S']);
  });

  scenario(
    'a record that the key does not verify, or that is gone, is called so, and nothing is undone by it',
    async () => {
      const { site, kept, put, writes, refused } = await deskAt(newPlace());
      for (const value of ['a', 'b', 'c']) {
        site.commit(body(`A: { value: ${value}, type: plain }`));
        await site.apply();
      }
      const log = async () => JSON.parse((await site.run(['log', '--json'])).stdout);
      expect((await log()).runs.map(({ verified }: { verified: boolean }) => verified)).toEqual([
        true,
        true,
        true,
      ]);
      // What is genuine is taken back.
      expect((await site.run(['undo', '3', '--auto-approve'])).status).toBe(0);
      const { records } = await kept();
      const second = records.get('000002.json')!;
      expect(second).toContain('"after": "b"');
      await put((text) => text, [['000002.json', second.replace('"after": "b"', '"after": "d"')]]);
      const sent = writes();
      expect((await site.run(['log'])).stdout).toMatch(/#2 .*not verified: changed after the key/);
      await refused(['undo', '2', '--auto-approve'], /run 2 is not verified/);
      await put((text) => text, [['000002.json', undefined]]);
      expect((await log()).doubts).toHaveLength(1);
      await refused(['undo', '2', '--auto-approve'], /no record of run 2/);
      expect(writes()).toBe(sent);
    },
  );

  scenario(
    'after a leak the old key counts for nothing there; no run makes a key where another has signed',
    async () => {
      const { site, kept, refused, writes } = await deskAt(newPlace());
      site.commit(body());
      await site.apply();
      const [sent, before] = [writes(), (await kept()).ledger];
      const old = site.env.TRUEUP_LEDGER_KEY!;
      site.env.TRUEUP_LEDGER_KEY = keyText('next');
      await refused(apply, /\[ledger\/other-key\]/);
      await refused(['ledger', 'sign'], /--generation \d+ --digest/);
      const { CI: _, TRUEUP_LEDGER_KEY: __, ...desk } = site.env;
      site.env = desk;
      await refused(apply, /trueup ledger key/);
      expect([writes(), (await kept()).ledger]).toEqual([sent, before]);
      site.env = { ...desk, TRUEUP_LEDGER_KEY: keyText('next'), TRUEUP_LEDGER_KEY_PREVIOUS: old };
      await site.apply();
      expect((await kept()).ledger).not.toBe(before);
      site.env = { ...desk, TRUEUP_LEDGER_KEY: old };
      await refused(apply, /key/);
    },
  );

  scenario('what another stack owns there is left to it, unless it is handed over', async () => {
    const { site, writes } = await deskAt(newPlace());
    const text = (stack: string, project: string) =>
      `stack: ${stack}\nplatform: { team: acme }\nprojects: { ${project} }\n`;
    const web = 'web: { framework: nextjs }';
    await site.write({ 'a.yaml': text('a', `${web}, own: { framework: nextjs }`), 'b.yaml': text('b', web) });
    expect((await site.run([...apply, '-f', 'a.yaml'])).stderr).not.toContain('is owned by');
    const sent = writes();
    const taking = await site.run([...apply, '-f', 'b.yaml']);
    expect([taking.status, taking.stderr, writes()]).toEqual([
      1,
      expect.stringMatching(/projects\/web is owned by the stack a \(applied \d+ seconds? ago by run 1[,)]/),
      sent,
    ]);
    await site.write({ 'b.yaml': text('b', 'web: { $from: a, framework: nextjs }') });
    expect((await site.run([...apply, '-f', 'b.yaml'])).stderr).toContain('[stack/no-consent]');
    const own = 'own: { framework: nextjs }';
    await site.write({ 'a.yaml': text('a', `web: { framework: nextjs, $handover: b }, ${own}`) });
    expect((await site.run([...apply, '-f', 'a.yaml'])).stdout).toContain('handed over to the stack b');
    expect(writes()).toEqual(sent);
    const taken = await site.run([...apply, '-f', 'b.yaml']);
    expect([taken.status, taken.stdout]).toEqual([0, expect.stringContaining('taken over from stack a')]);
    await site.write({ 'a.yaml': text('a', `web: { framework: nextjs }, ${own}`) });
    expect((await site.run([...apply, '-f', 'a.yaml'])).stderr).toContain('owned by the stack b');
    await site.write({ 'a.yaml': text('a', own) });
    expect((await site.run([...apply, '-f', 'a.yaml'])).status).toBe(0);
    expect((await site.run(['ledger', 'list', '-f', 'a.yaml'])).stdout).not.toContain('projects/web');
    expect(site.twin.account.projects.map(({ name }) => name).sort()).toEqual(['own', 'theirs', 'web']);
  });

  scenario('every command that is about a ledger does what it says', async () => {
    const place = newPlace();
    const { site, kept, refused } = await deskAt(place);
    const does = async (...args: string[]) => {
      const ran = await site.run(args);
      expect([args, ran.status, ran.stderr]).toMatchObject([args, 0, expect.any(String)]);
      expect(ran.all).not.toContain('canary');
      return ran;
    };
    site.commit(body());
    await site.apply();
    expect((await does('ledger', 'list')).stdout.split('\n')).toContainEqual(
      expect.stringMatching(/^projects\/web {2}/),
    );
    expect(JSON.parse((await does('ledger', 'show', 'projects/web')).stdout)).toMatchObject({
      kind: 'project',
    });
    expect((await does('ledger', 'forget', 'projects/web/env/B@preview')).stdout).toContain('Forgotten');
    expect((await does('ledger', 'unlock')).stdout).toMatch(/^No run holds the lease /);
    await place.open('shop').write('lease', '{"half', { expected: undefined });
    await refused(['ledger', 'unlock'], /--force/);
    await does('ledger', 'unlock', '--force');
    expect((await kept()).lease).toBeUndefined();
    // To another stack, whose ledger is made by that.
    await does('ledger', 'move', 'projects/web/env/**', '--to', 'keys@production');
    expect(Object.keys(JSON.parse((await kept('keys@production')).ledger).entries)).toContain(
      'projects/web/env/A@production',
    );
    expect(Object.keys(JSON.parse((await kept()).ledger).entries)).toEqual(['projects/web']);
    await does('ledger', 'rename', 'keys@production', 'keys');
    expect((await kept('keys@production')).ledger).toBe('');
    expect([...(await kept('keys')).records.keys()].every(isRecordFileName)).toBe(true);
    await does('ledger', 'retire', 'keys', '--force');
    expect(JSON.parse((await kept('keys')).ledger).entries).toEqual({});
    expect((await does('blame', 'projects/web')).stdout).toContain('projects/web');
    const log = JSON.parse((await does('log', '--json')).stdout);
    expect(log.doubts).toEqual([]);
    expect(log.runs.map(({ command }: { command: string }) => command)).toEqual(['move', 'forget', 'apply']);
    // Signed by a person, after somebody else's hand was in it.
    const { version: expected, text } = (await place.open('shop').read('ledger'))!;
    await place.open('shop').write('ledger', text.replace(/,\n {2}"signature": "[^"]*"/, ''), { expected });
    const shown = await refused(['ledger', 'sign'], /--generation/);
    await does('ledger', 'sign', .../--generation \d+ --digest \w{64}/.exec(shown.stderr)![0].split(' '));
    expect((await does('plan', '--json')).stdout).toContain('"complete": true');
    onTestFinished(() => site.twin.close());
  });
}
