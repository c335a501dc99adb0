import { beforeEach, describe, expect, it } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

/* Members of projects and access groups are named by e-mail address, user name or user id. The account knows them by their ids. */

const people = [
  { uid: 'user_grace', email: 'grace@acme.example', username: 'grace', role: 'MEMBER' },
  { uid: 'user_alan', email: 'alan@acme.example', username: 'alan', role: 'DEVELOPER' },
  { uid: 'user_lin', email: 'lin@acme.example', username: 'lin', role: 'DEVELOPER' },
  { uid: 'user_odd', email: 'odd@acme.example', username: 'user_lin', role: 'DEVELOPER' },
];
const seed = {
  team: { slug: 'acme', name: 'Acme', members: people },
  projects: [{ name: 'web', members: [{ uid: 'user_alan', role: 'ADMIN' }] }],
};
const yaml = (members: string, more = '') =>
  `stack: a\nplatform: { team: acme }\nprojects: { web: { members: {${members}} } }\n${more}`;

let shell: Shell;
let twin: Twin;
beforeEach(async () => {
  shell = new Shell();
  twin = await shell.withTwin(seed as never);
  shell.env.TRUEUP_LEDGER_KEY = keyText();
});
const plan = async () => JSON.parse((await shell.run(['plan', '--json'])).stdout);
const changesOf = async () =>
  (await plan()).changes
    .filter(
      ({ kind, action }: { kind: string; action: string }) => kind.endsWith('Member') && action !== 'noop',
    )
    .map(({ action, address }: { action: string; address: string }) => `${action} ${address}`);
const writes = () =>
  twin.requests
    .filter(({ method, path }) => method !== 'GET' && path.includes('member'))
    .map(({ method, path, body }) => [method, path.split('/').at(-1)!.replace(/\?.*/, ''), body]);
const reads = (part: string) => twin.requests.filter(({ path }) => path.includes(part)).length;

describe('members of a project', () => {
  oneRowIn(3)([
    ['e-mail address', 'alan@acme.example'],
    ['user name', 'alan'],
    ['user id', 'user_alan'],
  ])('are adopted, compared and kept by %s, without reading the team', async (_, name) => {
    await shell.write({ 'trueup.yaml': yaml(`"${name}": { role: ADMIN }`) });
    const address = `projects/web/members/${encodeURIComponent(name)}`;
    expect(await changesOf()).toEqual([`adopt ${address}`]);
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
    expect(await changesOf()).toEqual([]);
    expect(reads('/v3/teams/')).toBe(0);
    await shell.write({
      'trueup.yaml': yaml(`"${name}": { role: PROJECT_VIEWER }`, '$allow: [remove-access]\n'),
    });
    expect(await changesOf()).toEqual([`replace ${address}`]);
    const applied = await shell.run(['apply', '--auto-approve']);
    expect([applied.status, applied.stderr]).toEqual([0, expect.any(String)]);
    expect(writes()).toEqual([
      ['DELETE', 'user_alan', undefined],
      ['POST', 'members', { uid: 'user_alan', role: 'PROJECT_VIEWER' }],
    ]);
  });

  story('keep their entry in the ledger if the configuration names them otherwise', async () => {
    for (const name of ['user_alan', 'alan@acme.example', 'alan', 'user_alan']) {
      await shell.write({ 'trueup.yaml': yaml(`"${name}": { role: ADMIN }`) });
      const applied = await shell.run(['apply', '--auto-approve']);
      expect([applied.status, applied.all]).toEqual([0, expect.any(String)]);
      expect((await shell.run(['ledger', 'list'])).stdout).toContain(`members/${encodeURIComponent(name)}  `);
    }
    expect(writes()).toEqual([]);
  });

  story('are created by the ids that the list of the team has', async () => {
    await shell.write({
      'trueup.yaml': yaml(
        '"grace@acme.example": { role: ADMIN }, lin: { role: PROJECT_VIEWER }, user_odd: { role: ADMIN }',
      ),
    });
    const ran = await shell.run(['apply', '--auto-approve']);
    expect([ran.status, ran.all]).toEqual([0, expect.any(String)]);
    expect(
      writes()
        .map(([, , body]) => (body as { uid: string }).uid)
        .sort(),
    ).toEqual(['user_grace', 'user_lin', 'user_odd']);
    expect(await changesOf()).toEqual([]);
  });

  it('with an unknown or ambiguous name are errors that list the candidates', async () => {
    await shell.write({
      'trueup.yaml': yaml('graze@acme.example: { role: ADMIN }, user_lin: { role: ADMIN }'),
    });
    const { diagnostics } = await plan();
    expect(diagnostics).toMatchObject([
      {
        code: 'match/unknown-name',
        message: '"graze@acme.example" names no member of the team',
        hint: expect.stringContaining('there are ada@example.com, alan@acme.example, grace@acme.example,'),
        source: { line: 3 },
      },
      {
        code: 'match/several-names',
        message: expect.stringMatching(
          /odd@acme.example, user_lin, user_odd; lin@acme.example, lin, user_lin/,
        ),
      },
    ]);
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(1);
    expect(writes()).toEqual([]);
  });

  it('are one person under two names, which is an error', async () => {
    await shell.write({ 'trueup.yaml': yaml('alan: { role: ADMIN }, alan@acme.example: { role: ADMIN }') });
    expect((await plan()).diagnostics).toMatchObject([
      {
        code: 'match/named-twice',
        message:
          'projects/web/members/alan and projects/web/members/alan%40acme.example are the same member of the team',
      },
    ]);
  });

  it('are found and listed without secrets and nonsense that an answer has', async () => {
    const token = 'token-for-tests';
    const nonsense = [
      { uid: 'user_1', email: `a-${token}@acme.example` },
      { uid: 'user_2', email: token.slice(0, 9) },
      { uid: 'user_3', email: Buffer.from(token).toString('base64url') },
      { uid: 'user_4', email: '</td>\u001B[31m\n::error::x' },
      { uid: token, email: 'zoe@acme.example' },
      { uid: '-f', email: 'eve@acme.example' },
      { uid: '../x?y', email: 'ivy@acme.example' },
    ].map((person) => ({ username: '', role: 'DEVELOPER', ...person }));
    await shell.withTwin({ ...seed, team: { ...seed.team, members: [...people, ...nonsense] } } as never);
    for (const name of ['zoe', 'eve', 'ivy']) {
      await shell.write({ 'trueup.yaml': yaml(`${name}@acme.example: { role: ADMIN }`) });
      const { diagnostics } = await plan();
      expect(diagnostics).toMatchObject([
        {
          code: 'match/unknown-name',
          message: `"${name}@acme.example" names no member of the team`,
          hint: 'there are ada@example.com, alan@acme.example, grace@acme.example, lin@acme.example, odd@acme.example, user_1, user_2, user_3, user_4; who is only invited has to join first',
        },
      ]);
    }
    await shell.write({ 'trueup.yaml': yaml('user_1: { role: ADMIN }') });
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  });

  it('with the id of another person are errors, because the plan would name the wrong one', async () => {
    const members =
      'grace: { uid: user_lin, role: ADMIN }, alan: { uid: user_lin, role: ADMIN }, user_lin: { uid: user_lin, role: ADMIN }';
    await shell.write({ 'trueup.yaml': yaml(members) });
    const { diagnostics } = await plan();
    expect(diagnostics).toMatchObject([
      {
        code: 'match/unknown-name',
        message:
          '"grace" names another member of the team than `uid: user_lin` (2 times, for projects/web/members/grace and projects/web/members/alan)',
      },
    ]);
    expect((await shell.run(['apply', '--auto-approve'])).status).toBe(1);
    expect(writes()).toEqual([]);
  });

  oneRowIn(3)(['alan@acme.example', 'alan', 'user_alan'])(
    'are kept by an entry of `removed` with any of their names: %s',
    async (name) => {
      await shell.write({ 'trueup.yaml': yaml('alan@acme.example: { role: ADMIN }') });
      expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
      await shell.write({
        'trueup.yaml': yaml('', `removed: [{ at: projects/web/members/${name}, delete: false }]\n`),
      });
      expect(await changesOf()).toEqual([`release projects/web/members/${encodeURIComponent(name)}`]);
      expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
      expect([writes(), await changesOf()]).toEqual([[], []]);
    },
  );

  story('are exported by e-mail address', async () => {
    await shell.run(['export', '--team', 'acme', '--out', 'trueup.yaml']);
    const { readFileSync } = await import('node:fs');
    const text = readFileSync(`${shell.folder}/trueup.yaml`, 'utf8');
    expect(text).toContain('    members:\n      alan@acme.example:\n        role: ADMIN\n');
    expect(text).not.toContain('user_alan');
  });
});

story('members of an access group are named alike', async () => {
  await shell.write({
    'trueup.yaml':
      'stack: a\nplatform: { team: acme }\naccessGroups: { Ops: { members: { alan@acme.example: {}, lin: {} } } }\n',
  });
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  const added = twin.requests.flatMap(
    ({ body }) => (body as { membersToAdd?: string[] })?.membersToAdd ?? [],
  );
  expect(added.sort()).toEqual(['user_alan', 'user_lin']);
  expect(await changesOf()).toEqual([]);
});

it('a token that may not read the team can still name people by their ids', async () => {
  await shell.write({ 'trueup.yaml': yaml('user_grace: { role: ADMIN }') });
  twin.setFaults({ faults: [{ at: { operation: 'getTeamMembers' }, do: { type: 'status', status: 403 } }] });
  expect((await shell.run(['apply', '--auto-approve'])).status).toBe(0);
  expect(writes()).toEqual([['POST', 'members', { uid: 'user_grace', role: 'ADMIN' }]]);
});
