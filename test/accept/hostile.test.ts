import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExpressions } from '../../src/config/expressions/parse-expressions.ts';
import { exported } from '../export/exported.ts';
import { oddJson, oddText, oddTexts } from '../support/odd-texts.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import type { World } from '../support/world.ts';
import { acceptAllIn, acceptIn, fileOf, inWorld } from './accepted-text.ts';

const story = oneStoryIn(7);

// A value in each style, in lines and in brackets, as a shorthand's and as a member's.
const styles = [
  'V0: { value: plain, type: plain }',
  "V1: { value: 'single', type: plain }",
  'V2: { value: "double", type: plain }',
  'V3:\n        type: plain\n        value: |\n          literal\n          text',
  'V4:\n        type: plain\n        value: >-\n          folded\n          text # no comment',
  'V5:\n        value: plain # a comment\n        type: plain',
  'V6: [{ value: in a list, type: plain }]',
  'V7:\n        - value: in a list\n          type: plain',
  'V8: { value: &anchored anchored, type: plain }',
];
const body = `projects:
  web:
    env:
${styles.map((line) => `      ${line}`).join('\n')}
    buildCommand: 'one'
# The end.
`;

/** What somebody who may edit the account writes there. */
async function withValues(world: World, values: string[]) {
  const files = fileOf(world, body);
  const rows = world.twin.account.projects[0]!.env;
  const byKey = [...rows].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const [at, row] of byKey.entries()) row.value = values[at % values.length]!;
  world.twin.account.projects[0]!.buildCommand = values[0]!;
  const result = await acceptIn(world, files);
  expect({ wrong: result.wrong, unplaced: result.unplaced }).toEqual({ wrong: [], unplaced: [] });
  const { resources } = (await world.configure(result.texts)).desired;
  for (const [at, { key }] of byKey.entries()) {
    const value = values[at % values.length]!;
    const left = result.leftOut.some(({ address }) => address.startsWith(`projects/web/env/${key}@`));
    // What no file can hold is told, and stays as it is.
    if (!left) expect(resources.get(`projects/web/env/${key}@production`)!.fields.value).toBe(value);
  }
  return result;
}

describe('what the account says', () => {
  story('is text, however it looks, in whatever style the value before was written', () =>
    inWorld(async (world) => {
      await world.converge(fileOf(world, body));
      const usable = oddTexts.filter((one) => one !== '' && !/[\ud800-\udfff]$/.test(one));
      for (let at = 0; at < usable.length; at += styles.length)
        await withValues(world, usable.slice(at, at + styles.length));
      await fc.assert(
        fc.asyncProperty(fc.array(oddText, { minLength: 9, maxLength: 9 }), async (values) => {
          await withValues(world, values);
        }),
        { numRuns: runs(60, 20) },
      );
    }),
  );

  it('reads no secret and no variable, in a value or in a name of free data', () =>
    inWorld(async (world) => {
      const text = `variables: { x: { default: known } }
secrets: { token: {} }
globalConfigs:
  store:
    items:
      one: { value: { a: 1 } }
      two:
        value:
          list: [a]
          b: "\${var.x}"
projects:
  web: { buildCommand: "\${var.x}", env: { T: { value: "\${secret.token}", type: sensitive, target: [production] } } }
`;
      world.env.TRUEUP_SECRET_token = 'the-canary-of-this-test';
      const files = fileOf(world, text);
      await world.converge(files);
      const hostile = {
        '${secret.token}': '${secret.token}',
        '<<': { merged: '${var.x}' },
        '...${var.x}': ['...${var.x}', '${'],
        list: ['a', '${secret.token}'],
        $each: 'x',
        // A comparison must not call these.
        toString: '',
        valueOf: 1,
        b: '${secret.token}',
      };
      const items = world.twin.account.globalConfigs[0]!.items as unknown as { value: unknown }[];
      for (const item of items) item.value = hostile;
      world.twin.account.projects[0]!.buildCommand = '${secret.token} ${projects.web.id}';
      const { texts } = await acceptAllIn(world, files);
      const { desired } = await world.configure(texts);
      for (const name of ['one', 'two'])
        expect(desired.resources.get(`globalConfigs/store/items/${name}`)!.fields.value).toEqual(hostile);
      // Each expression that is there now was there before.
      const expressionsIn = (one: string) => parseExpressions(one).filter((part) => typeof part === 'object');
      expect(expressionsIn(Object.values(texts).join())).toHaveLength(
        expressionsIn(Object.values(files).join()).length,
      );
    }));

  story('splits an entry without a change of the values that its parts share', () =>
    inWorld(async (world) => {
      const numbers = ['1.10', '1e3', '0x1F', '12345678901234567890', 'True', '"10"', '5'];
      const entries = numbers.map(
        (value, index) =>
          `      V${index}: { value: ${value}, type: plain, comment: c, target: [production, preview], $dependsOn: [projects/web] }\n`,
      );
      const files = fileOf(
        world,
        `projects:\n  web:\n    env:\n${entries.join('')}      LINES:
        value: 1.10
        type: plain
        comment: c
        target: [production, preview]
        $dependsOn:
          - projects/web\n`,
      );
      await world.converge(files);
      const { env } = world.twin.account.projects[0]!;
      for (const row of [...env]) {
        env.push({ ...row, id: `${row.id}-preview`, target: ['preview'], comment: 'other' });
        row.target = ['production'];
      }
      const { accepted } = await acceptAllIn(world, files);
      expect(accepted.filter(({ type }) => type === 'split')).toHaveLength(entries.length + 1);
    }),
  );

  story('splits an entry with a boolean in another spelling', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects: { web: {} }
sharedEnv:
  ONE: { value: t, type: encrypted, applyToAllCustomEnvironments: True, target: [production, preview], projectId: [web] }
`,
      );
      await world.converge(files);
      const { sharedEnv } = world.twin.account;
      const row = sharedEnv.find(({ key }) => key === 'ONE')!;
      sharedEnv.push({ ...row, id: `${row.id}-preview`, target: ['preview'], value: 'other' });
      row.target = ['production'];
      const { texts } = await acceptAllIn(world, files);
      expect(Object.values(texts).join()).toContain('applyToAllCustomEnvironments: true');
    }),
  );

  story('writes several sets of one block into one patch, and names a place that it cannot edit', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `templates:
  shared:
    records:
      - { name: www, type: A, value: 1.2.3.4 }
      - { name: api, type: A, value: 1.2.3.5 }
domains:
  example.com: { $use: shared }
  example.org:
    records:
      - &first { name: www, type: A, value: 1.2.3.4 }
      - { name: api, type: A, value: 1.2.3.5 }
`,
      );
      await world.converge(files);
      const [domain, other] = ['example.com', 'example.org'].map(
        (name) => world.twin.account.domains.find((each) => each.name === name)!,
      );
      for (const record of domain!.records) record.value = record.value!.replace('1.2', '9.9');
      const { texts } = await acceptAllIn(world, files);
      other!.records.splice(
        other!.records.findIndex(({ name }) => name === 'www'),
        1,
      );
      const anchored = await acceptIn(world, texts);
      expect(anchored.unplaced).toMatchObject([{ addresses: ['domains/example.org/records/www/A'] }]);
    }),
  );

  story('renames objects inside each other, wherever the configuration names them', () =>
    inWorld(async (world) => {
      const before = `projects:
  web:
    $then: [{ redeploy: { target: production }, when: [env] }]
    customEnvironments: { staging: {} }
    env:
      A: { value: a, type: plain, $then: [redeploy] }
  api: { framework: nextjs, $dependsOn: [projects/web/customEnvironments/staging] }
webhooks:
  deploys: { url: https://example.com/h, events: [deployment.created], $secretTo: { variable: projects/web/env/TOKEN } }
sharedEnv:
  TEAM: { value: t, type: encrypted, target: [production], projectId: [web] }
`;
      const files = fileOf(world, before);
      await world.converge(files);
      // The old address of a variable is in its project, whatever that is called.
      const settled = fileOf(world, before.replace('A: { value', 'B: { $was: A, value'));
      await world.converge(settled);
      const { projects, sharedEnv } = world.twin.account;
      const [web, api] = ['web', 'api'].map((name) => projects.find((project) => project.name === name)!);
      web!.name = 'site';
      web!.customEnvironments[0]!.slug = 'stage';
      // This reference to the renamed project is replaced by another one.
      sharedEnv[0]!.projectId = [api!.id];
      const { texts } = await acceptAllIn(world, settled);
      const text = Object.values(texts).join();
      expect(text).toContain('$dependsOn: [projects/site/customEnvironments/stage]');
      expect(text).toContain('$secretTo: { variable: projects/site/env/TOKEN }');
      expect(text).toContain('projectId: [api]');
    }),
  );

  story('writes a new reference to a renamed object with the new name', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects:
  web: { customEnvironments: { staging: {} } }
  api: { framework: nextjs }
  site: { framework: vite, env: { A: { value: a, type: plain, target: [production] } } }
sharedEnv:
  ONE: { value: t, type: encrypted, target: [production], projectId: [api] }
  TWO: { value: t, type: encrypted, target: [production], projectId: [web] }
  THREE: { value: t, type: encrypted, target: [production], projectId: [web, site] }
`,
      );
      await world.converge(files);
      const { projects, sharedEnv } = world.twin.account;
      const [web, api] = ['web', 'api'].map((name) => projects.find((project) => project.name === name)!);
      web!.name = 'shop';
      const [one, two, three] = ['ONE', 'TWO', 'THREE'].map(
        (key) => sharedEnv.find((row) => row.key === key)!,
      );
      one!.projectId = [web!.id];
      two!.projectId = [api!.id, web!.id];
      three!.projectId = [web!.id];
      const { texts } = await acceptAllIn(world, files);
      expect(Object.values(texts).join()).toMatch(
        /ONE.*projectId: \[shop\].*\n.*TWO.*\[api, shop\].*\n.*THREE.*\[shop\]/,
      );
    }),
  );

  story('keeps the entry of a variable that has only other targets in the account', () =>
    inWorld(async (world) => {
      const entries = (targets: string[]) => `projects:
  web:
    env:
      ONE: { value: t, type: encrypted, target: [${targets[0]}] }
      TWO:
        - { value: t, type: encrypted, target: [${targets[1]}] }
        - { value: u, type: encrypted, target: [development] }
      FOUR:${targets[3]}
sharedEnv:
  THREE: { value: t, type: encrypted, target: [${targets[2]}], projectId: [web] }
`;
      const files = fileOf(
        world,
        entries([
          'production',
          'production, preview',
          'production',
          `
        - { value: v, type: encrypted, target: [production] }
        - { value: w, type: encrypted, target: [preview] }`,
        ]),
      );
      await world.converge(files);
      const { projects, sharedEnv } = world.twin.account;
      const [web] = projects;
      for (const row of [...web!.env, ...sharedEnv])
        if (row.value === 't') row.target = row.key === 'THREE' ? ['preview', 'development'] : ['preview'];
      web!.env.find(({ key, value }) => key === 'TWO' && value === 't')!.target = ['production'];
      web!.env.find(({ key }) => key === 'ONE')!.target = ['development', 'preview'];
      web!.env.find(({ value }) => value === 'w')!.target = ['development'];
      web!.env = web!.env.filter(({ value }) => value !== 'v');
      const { texts } = await acceptAllIn(world, files);
      expect(texts).toEqual(
        fileOf(
          world,
          entries([
            'preview, development',
            'production',
            'preview, development',
            `
        - { value: w, type: encrypted, target: [development] }`,
          ]),
        ),
      );
      // With another value too, it is left to the user.
      await world.converge(texts);
      const row = web!.env.find(({ key }) => key === 'ONE')!;
      Object.assign(row, { target: ['production'], value: 'other' });
      const again = await acceptIn(world, texts);
      expect({ wrong: again.wrong, texts: again.texts }).toEqual({ wrong: [], texts });
      expect(again.leftOut).toEqual([
        {
          address: 'projects/web/env/ONE@production',
          reason: expect.stringContaining('`value`'),
        },
      ]);
    }),
  );

  story('adds to a block that loses all it has', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects:
  one: { env: { X: { value: x, target: [production] } } }
  two:
    env:
      X: { value: x, target: [production] }
  three: { env: { X: { value: x, target: [production] }, }, }
`,
      );
      await world.converge(files);
      for (const project of world.twin.account.projects) {
        project.env = [];
        project.name += '-new';
      }
      const { texts } = await acceptAllIn(world, files);
      expect(texts).toEqual(
        fileOf(
          world,
          `projects:
  one-new: { $was: one }
  two-new:
    $was: two
  three-new: { $was: three }
`,
        ),
      );
    }),
  );

  story('accepts other changes of a variable whose environment was renamed', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects:
  web:
    customEnvironments: { staging: {} }
    env:
      CHANGED: { value: t, type: encrypted, customEnvironmentIds: [staging] }
      JOINED: { value: t, type: encrypted, target: [production] }
`,
      );
      await world.converge(files);
      const [web] = world.twin.account.projects;
      const [environment] = web!.customEnvironments;
      environment!.slug = 'stage';
      web!.env.find(({ key }) => key === 'CHANGED')!.value = 'other';
      web!.env.find(({ key }) => key === 'JOINED')!.customEnvironmentIds = [environment!.id];
      const { texts } = await acceptAllIn(world, files);
      const text = Object.values(texts).join();
      expect(text).toContain('CHANGED: { value: other, type: encrypted, customEnvironmentIds: [stage] }');
      expect(text).toContain('target: [production], customEnvironmentIds: [stage] }');
    }),
  );

  story('proves a value whose name has a dot under the path that plans give it', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        'projects: { web: { sandboxes: { worker: { runtime: node24, tags: { "a.b": one, c: two } } } } }\n',
      );
      await world.converge(files);
      Object.assign(world.twin.account.projects[0]!.sandboxes[0]!.tags!, { 'a.b': 'new' });
      const { wrong, open, before, paths } = await acceptIn(world, files);
      expect({ wrong, open }).toEqual({ wrong: [], open: [] });
      const { address, fields } = before.changes.find(({ kind }) => kind === 'sandbox')!;
      expect([...paths.get(address)!]).toEqual(fields.map(({ path }) => path));
    }),
  );

  story('is free data as it was found, whatever is in it', () =>
    inWorld(async (world) => {
      const text = 'globalConfigs: { store: { items: { one: { value: { a: [1] } } } } }\n';
      const files = fileOf(world, text);
      await world.converge(files);
      const items = world.twin.account.globalConfigs[0]!.items as unknown as { value: unknown }[];
      await fc.assert(
        fc.asyncProperty(oddJson, oddJson, async (one, other) => {
          items[0]!.value = one;
          const first = await acceptIn(world, files);
          expect(first.wrong).toEqual([]);
          items[0]!.value = [one, other];
          expect((await acceptIn(world, first.texts)).wrong).toEqual([]);
        }),
        { numRuns: runs(120, 24) },
      );
    }),
  );

  story('is exported as text in names, too, one that would merge a map among them', () =>
    inWorld(async (world) => {
      await world.converge('globalConfigs: { store: { items: { one: { value: 1 } } } }');
      const value = { '<<': { merged: true }, '${secret.x}': '${var.x}', list: ['...${var.x}', '<<'] };
      (world.twin.account.globalConfigs[0]!.items as unknown as { value: unknown }[])[0]!.value = value;
      const { yaml } = await exported(world);
      const { desired, diagnostics } = await world.configure(yaml);
      expect(diagnostics).toEqual([]);
      expect(desired.resources.get('globalConfigs/store/items/one')!.fields.value).toEqual(value);
    }),
  );
});
