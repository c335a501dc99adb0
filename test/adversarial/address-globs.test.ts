import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { checkOwnedAddresses } from '../../src/config/counted-globs.ts';
import { Growth } from '../../src/config/growth.ts';
import { createPathGlob } from '../../src/config/layers/layer.ts';
import { load } from '../../src/config/load.ts';
import { coversStackPath, readWorkspace } from '../../src/config/workspace.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { readFleetFile } from '../../src/fleet/fleet-file.ts';
import { matchesStack } from '../../src/fleet/refusal.ts';
import { parseGuards } from '../../src/guards/guards.ts';
import { evaluateGuards } from '../../src/guards/judge.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { addressOf, escapeName } from '../../src/model/address.ts';
import type { Change } from '../../src/model/change.ts';
import { type Problems, Reporter } from '../../src/model/diagnostic.ts';
import { compileGlob, createAddressMatcher } from '../../src/model/glob.ts';
import type { Plan } from '../../src/model/plan.ts';
import { matchesAny, selectChanges } from '../../src/plan/select-changes.ts';
import { folderWith } from '../config/configure.ts';
import { change } from '../report/builders.ts';
import { codePoint } from '../support/characters.ts';
import { oddTexts } from '../support/odd-texts.ts';
import { tinyKinds, tinyLive } from '../support/tiny.ts';

const hostileNames = [
  '.',
  '..',
  '...',
  '.git',
  '\u2028',
  '\u2029',
  'a\u2028b',
  '\r',
  '/',
  '../..',
  '[a',
  '{a,',
  '\\',
];
const name = fc.oneof(
  fc.constantFrom(...hostileNames, ...oddTexts, 'a'.repeat(5_000)),
  fc.string({ unit: codePoint, maxLength: 8 }),
);

const noNames = { listActions: async () => [], listFindings: async () => [] };

const changeAt = (address: string): Change =>
  change('update', address, { kind: address.includes('/items/') ? 'item' : 'box' });

it('No name makes an object escape the glob of a guard, a freeze, `owns`, `--target`, `--exclude` or a patch.', async () => {
  const text = `
deny: [{ at: "**", message: All. }, { at: "boxes/*/items/**", message: Items. }, { field: "a.*", at: "boxes/*", message: Fields. }]
freeze: [{ from: 2020-01-01T00:00:00Z, until: 2020-01-02T00:00:00Z, message: All., at: "**" }]`;
  const guards = await parseGuards('guards.yaml', text, { kinds: ['box', 'item'], ...noNames });
  const now = Date.parse('2020-01-01T12:00:00Z');
  const at = { source: new Source('trueup.yaml', ''), start: 0, end: 0 };
  fc.assert(
    fc.property(name, name, (box, item) => {
      const parent = addressOf(undefined, 'boxes', [escapeName(box)]);
      const address = addressOf(parent, 'items', [escapeName(item)]);
      const field = { path: `a.${item}`, cause: 'edit' as const };
      const changes = [{ ...changeAt(parent), fields: [field] }, changeAt(address)] as Change[];
      const plan = { stack: 'shop', complete: true, changes, operations: [], unmanaged: [], diagnostics: [] };
      const messages = evaluateGuards(plan as Plan, guards, { now, pace: undefined, writes: true }).map(
        ({ message }) => message.split(': ').at(-1),
      );
      expect(messages).toEqual(['All.', 'Items.', 'Fields.', 'All.']);

      const meta = {};
      const resources = [parent, address].map((address) => ({ address, kind: 'box', fields: {}, meta }));
      const owned = (glob: string) =>
        checkOwnedAddresses([{ owns: [glob], at }], resources as never, {
          kinds: tinyKinds,
          growth: new Growth(),
        }).length;
      expect(['**', 'boxes/**', 'boxes/*'].map(owned)).toEqual([0, 0, 1]);

      const live = tinyLive({ [parent]: {}, [address]: {} });
      const desired = { resources: new Map(resources.map((resource) => [resource.address, resource])) };
      const selected = (options: object) =>
        selectChanges(changes, { kinds: tinyKinds, live, desired, options } as never, new Reporter([])).map(
          ({ address }) => address,
        );
      expect(selected({ targets: ['boxes/*'] })).toEqual([parent]);
      expect(selected({ targets: ['boxes/*/items/*'] })).toContain(address);
      expect(selected({ excludes: ['boxes/**'] })).toEqual([]);
      expect(matchesAny(['boxes/*/items/*'], address)).toBe(true);

      const placed = (text: string, around?: string) =>
        createPathGlob({ text, at, status: { hasMatched: false } }, compileGlob(text), around);
      const patch = placed('boxes/*/items/*');
      expect([patch.matches(address), patch.matches(parent), patch.reach(parent)]).toEqual([
        true,
        false,
        'below',
      ]);
      const drop = placed('items/*', parent);
      expect([drop.matches(address), drop.matches(parent), drop.reach(parent)]).toEqual([
        true,
        false,
        'below',
      ]);

      const part = item.replaceAll('/', '');
      expect([coversStackPath('stacks/*', `stacks/${part}`), matchesStack('**', `${part}@${part}`)]).toEqual([
        true,
        true,
      ]);
    }),
  );
});

it('globs of a configuration match blocks of any name', async () => {
  const kinds = kindsOf(hosting.kinds);
  const { name: validName } = kinds.get('project')!.fields;
  const names = [...new Set(fc.sample(name, 60))].filter(
    (text) => validName!.safeParse(text).success && !/^(<<|__proto__|\$.*)$|\$\{/.test(text),
  );
  const text = JSON.stringify({
    stack: 'test',
    secrets: { a: { env: 'TRUEUP_SECRET_a' } },
    projects: Object.fromEntries(names.map((name) => [name, { $existing: true }])),
    sharedEnv: { A: { type: 'encrypted', value: '${secret.a}', target: ['production'], projectId: ['*'] } },
    patches: [{ $at: 'projects/*', env: { A: { value: 'x', type: 'plain' } } }],
  });
  const { desired, diagnostics } = await load({ kinds, cwd: '/', env: {}, text });
  expect([diagnostics, names.length > 20]).toEqual([[], true]);
  const addresses = [...desired.resources.keys()];
  const variables = addresses.filter((address) => /^projects\/[^/]*\/env\/A@production$/.test(address));
  expect(variables.length).toBe(names.length);
  const shared = [...desired.resources.values()].find(({ kind }) => kind === 'sharedEnvVar')!;
  expect(shared.fields.projectId).toHaveLength(names.length);
});

it('a glob that is not valid is an error at its place, wherever it is written', async () => {
  const bad = '"a(b|c)"';
  const placesIn = async (read: Promise<unknown>) => {
    const error = await read.catch((thrown: unknown) => thrown);
    const { diagnostics } = error as Problems;
    return diagnostics.map(({ at, message }) => [at?.line, at?.column, /is not a valid glob/.test(message)]);
  };
  const guards = `deny: [{ at: ${bad}, message: x }, { run: ${bad}, field: ${bad}, message: x }]
freeze: [{ stack: ${bad}, message: x, from: 2020-01-01T00:00:00Z, until: 2020-01-02T00:00:00Z }]`;
  expect(
    await placesIn(
      parseGuards('guards.yaml', guards, { ...noNames, kinds: [], listActions: async () => ['a(b|c)'] }),
    ),
  ).toEqual([
    [1, 14, true],
    [1, 45, true],
    [1, 62, true],
    [2, 19, true],
  ]);
  const fleet = `repositories: { a: { url: /a, branch: main, stacks: [${bad}] } }`;
  expect(await placesIn(readFleetFile('fleet.yaml', fleet))).toEqual([[1, 54, true]]);
  const workspace = {
    'trueup.workspace.yaml': `stacks: ["a*(b|c)", { path: b, owns: ${bad} }]`,
    'b/trueup.yaml': '',
  };
  expect(await placesIn(readWorkspace(await folderWith(workspace)))).toEqual([
    [1, 10, true],
    [1, 38, true],
  ]);
  const text = `stack: x\nowns: [${bad}]\nsharedEnv: { A: { projectId: ["a*(b|c)"], value: x, target: [preview] } }\n`;
  const { diagnostics } = await load({ kinds: kindsOf(hosting.kinds), cwd: '/', env: {}, text });
  expect(diagnostics.filter(({ code }) => code === 'glob/syntax').map(({ at }) => at?.line)).toEqual([2, 3]);
  expect(() => createAddressMatcher(['a(b|c)'])).toThrow('is not a valid glob');
});
