import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load } from '../../src/config/load.ts';
import { gitIn } from '../accept/repository.ts';
import { allAllowed } from '../support/all-allowed.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { configurations } from './random-configuration.ts';

const story = oneStoryIn(7);

/** A repository with these files, which git tracks, and how its configuration reads now. */
async function repository(files: Record<string, string>) {
  const shell = await new Shell().write(files);
  initRepository(shell.folder);
  gitIn(shell.folder, 'add', '--all');
  const text = (name: string) => readFileSync(join(shell.folder, name), 'utf8');
  const texts = () => Object.fromEntries(Object.keys(files).map((name) => [name, text(name)]));
  const configuration = () =>
    load({ kinds, cwd: shell.folder, env: {}, sources: allAllowed({}, shell.folder) });
  const remove = (...args: string[]) => shell.run(['remove', '--auto-approve', ...args]);
  return { shell, text, texts, configuration, remove };
}

const plain = ({ desired }: Awaited<ReturnType<typeof load>>) =>
  new Map(
    [...desired.resources].map(([address, { at: _, index: _index, group: _group, ...resource }]) => [
      address,
      JSON.stringify(resource),
    ]),
  );

const header = 'stack: shop\nplatform: { personal: true }\n';

/** A line of `removed:`. Tests of the blocks ignore these lines. */
const isEntry = /^(removed:| {2}- \{ at: .*, delete: (true|false).* \})$/;
const withoutEntries = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isEntry.test(line))
    .join('\n');

/** Removes objects from a configuration in one file. Returns the diff without its header, and what was said. */
async function removed(body: string, ...args: string[]) {
  const { remove, text } = await repository({ 'trueup.yaml': header + body });
  const { status, stdout, stderr } = await remove(...args);
  const lines = stdout.split('\n').filter((line) => /^[-+][^-+]/.test(line) && !isEntry.test(line.slice(1)));
  return { status, lines, stderr, text: withoutEntries(text('trueup.yaml')).slice(header.length) };
}

const projects = `projects:
  # The shop.
  web: { framework: nextjs, env: { A: 1, B: { value: x, target: [production, preview] } } }
  # The API.
  api:
    env: { A: 1 }
`;

story(
  'a block goes with its comment, a target or a variable out of its entry, and a patch that is only about it',
  async () => {
    const patched = `${projects}patches:
  - { $at: projects/web, env: { C: 1 } }
  - { $at: projects/api, framework: astro }
  - { $at: "projects/*", nodeVersion: 22.x }
`;
    expect(await removed(patched, 'projects/api')).toMatchObject({
      status: 0,
      lines: [
        '-  # The API.',
        '-  api:',
        '-    env: { A: 1 }',
        '-  - { $at: projects/api, framework: astro }',
      ],
    });
    expect(
      await removed(patched, 'projects/web/env/B@preview', 'projects/web/env/A', 'projects/web/env/C'),
    ).toMatchObject({
      status: 0,
      lines: [
        '-  web: { framework: nextjs, env: { A: 1, B: { value: x, target: [production, preview] } } }',
        '+  web: { framework: nextjs, env: { B: { value: x, target: [production] } } }',
        '-  - { $at: projects/web, env: { C: 1 } }',
      ],
    });
  },
);

test('a section or a file with nothing left goes, or is named; so is a secret that nothing uses any more', async () => {
  const only = 'secrets: { db: {} }\nprojects: { web: { env: { DB: "${secret.db}" } } }\n';
  const { text, stderr } = await removed(only, 'projects/web');
  expect(text).toBe('secrets: { db: {} }\n');
  expect(stderr).toContain('Nothing uses the secret db any more.');
  const { remove, texts } = await repository({
    'trueup/main.yaml': `${header}projects: { api: {} }\n`,
    'trueup/web.yaml': '# All of the shop.\nprojects:\n  web: { framework: astro }\n',
  });
  expect((await remove('projects/web')).stderr).toContain(
    'trueup/web.yaml declares nothing any more; delete it',
  );
  expect(texts()['trueup/main.yaml']).toContain('api');
});

story('an object that is declared in two files, or in some stages only, is gone in all of them', async () => {
  const { remove, texts } = await repository({
    'trueup/main.yaml': `${header}projects:\n  web: { framework: astro }\n  api: {}\n`,
    'trueup/web.yaml': 'projects:\n  web:\n    env: { A: 1 }\n  docs: {}\n',
  });
  expect(await remove('projects/web')).toMatchObject({ status: 0 });
  expect(withoutEntries(Object.values(texts()).join(''))).toBe(
    `${header}projects:\n  api: {}\nprojects:\n  docs: {}\n`,
  );
  const staged = `stages: { prod: {}, dev: {} }
projects:
  api: {}
  web: { framework: astro, env: { A: { $when: { stage: prod }, value: 1 } } }
  docs: { $when: { stage: dev } }
`;
  const all = await removed(staged, 'projects/web', 'projects/docs');
  expect(all, all.stderr).toMatchObject({
    status: 0,
    text: 'stages: { prod: {}, dev: {} }\nprojects:\n  api: {}\n',
  });
  const one = await removed(staged, 'projects/web/env/A', '--stage', 'prod');
  expect(one.text).toContain('  - $at: projects/web\n    $when: { stage: prod }\n    $drop: [env/A]\n');
});

const sites = {
  'trueup.yaml': `${header}variables: { sites: { file: sites.csv } }
templates:
  site: { $kind: project, framework: nextjs, env: { LEVEL: info } }
projects:
  site-\${each.key}: { $each: "\${var.sites}", $use: site }
domains:
  \${each.key}.acme.com: { $each: "\${var.sites}" }
  acme.com:
    records:
      - { $each: "\${var.sites}", type: CNAME, name: "\${each.key}", value: cname.acme.net }
`,
  'sites.csv': 'code\nab\ncd\nef\n',
};

story(
  'a row that makes several objects goes with all of them, and is refused for one alone, with the command for all',
  async () => {
    const { remove, text, texts } = await repository(sites);
    const refused = await remove('projects/site-cd');
    expect(refused).toMatchObject({ status: 1 });
    expect(texts()).toEqual(sites);
    const command = /trueup remove (.*)/.exec(refused.stderr)![1]!;
    expect(command).toBe('projects/site-cd domains/cd.acme.com domains/acme.com/records/cd/CNAME');
    const together = await remove(...command.split(' '));
    expect(together, together.all).toMatchObject({ status: 0 });
    expect(text('sites.csv')).toBe('code\nab\nef\n');
    expect(withoutEntries(text('trueup.yaml'))).toBe(sites['trueup.yaml']);
  },
);

story(
  'what a template gives to many blocks is dropped for one of them; without a block around it, the line is named',
  async () => {
    const { remove, text } = await repository(sites);
    expect(await remove('projects/site-cd/env/LEVEL')).toMatchObject({ status: 0 });
    expect(text('trueup.yaml')).toContain('patches:\n  - $at: projects/site-cd\n    $drop: [env/LEVEL]\n');
    const listed = await removed('projects:\n  site-${each.key}: { $each: [a, b, c] }\n', 'projects/site-b');
    expect(listed).toMatchObject({
      status: 0,
      lines: [expect.anything(), '+  site-${each.key}: { $each: [a, c] }'],
    });
    const named = await removed(
      'variables: { name: { default: web } }\nprojects:\n  "${var.name}": {}\n',
      'projects/web',
    );
    expect(named).toMatchObject({ status: 1 });
    expect(named.stderr).toContain(
      'projects/web has no text that is only about it [remove/shared]\n  at trueup.yaml:5:3',
    );
  },
);

story('anchors: an alias goes, and a block that others repeat stays', async () => {
  const anchored = `projects:
  web: &base
    env: { A: 1 }
  api: *base
  docs: { <<: *base, nodeVersion: 22.x }
`;
  const alias = await removed(anchored, 'projects/api', 'projects/docs');
  expect(alias).toMatchObject({ status: 0, text: 'projects:\n  web: &base\n    env: { A: 1 }\n' });
  const anchor = await removed(anchored, 'projects/web');
  expect(anchor).toMatchObject({ status: 1, text: anchored });
  expect(anchor.stderr).toContain(
    'projects/web has no text that is only about it [remove/shared]\n  at trueup.yaml:4:3',
  );
});

story('a member of a data file goes with its comment, and an entry joins those of `removed:`', async () => {
  const listed = `${header}removed: [{ at: projects/old, delete: false }]
variables: { sites: { file: sites.yaml } }
projects:
  site-\${each.value.code}: { $each: "\${var.sites}" }
`;
  const { remove, text } = await repository({
    'trueup.yaml': listed,
    'sites.yaml': '- { code: a }\n# B is special.\n- code: b\n- { code: c }\n',
  });
  expect(await remove('projects/site-b')).toMatchObject({ status: 0 });
  expect(text('sites.yaml')).toBe('- { code: a }\n- { code: c }\n');
  expect(text('trueup.yaml')).toContain('delete: false }, { at: projects/site-b, delete: false }]\n');
  const json = await repository({
    'trueup.json': `{\n  "stack": "shop",\n  "platform": { "personal": true },\n  "projects": { "web": {}, "api": {} }\n}\n`,
  });
  expect(await json.remove('projects/api')).toMatchObject({ status: 0 });
  expect(json.text('trueup.json')).toContain(
    '"projects": { "web": {} }, "removed": [{ "at": "projects/api", "delete": false }]',
  );
});

test('no secret of a removed block is shown', async () => {
  const key = `sk_${'live'}_a1B2c3D4e5F6g7H8i9`;
  const { remove } = await repository({
    'trueup.yaml': `${header}projects:\n  web: { env: { KEY: { value: ${key}, type: sensitive, target: [production] } } }\n  api: {}\n`,
  });
  const ran = await remove('projects/web');
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.all).not.toContain(key);
  expect((await remove('projects/api', '-f', '-')).stderr).toContain('standard input cannot be written to');
});

test('all places that still name it are errors, at their present lines, and nothing is written', async () => {
  const body = `projects:
  web: { env: { A: 1 } }
  api:
    $dependsOn: [projects/web]
    env: { A: "\${projects.web.id}" }
patches:
  - { $at: "projects/we*", framework: astro }
`;
  const { status, stderr, text } = await removed(body, 'projects/web');
  expect(status).toBe(1);
  expect(text).toBe(body);
  expect(stderr.match(/^Error: .*|(trueup.yaml:\d+):\d+$/gm)).toEqual([
    'Error: projects/web is still named here (2 times) [remove/named]',
    'trueup.yaml:6:18',
    'trueup.yaml:7:16',
    'Error: there is nothing at `projects/we*` [patch/nothing]',
    'trueup.yaml:9:12',
  ]);
});

test('it asks, writes only on a yes, and finds no misspelled address', async () => {
  const { shell, text } = await repository({ 'trueup.yaml': header + projects });
  const alone = await shell.run(['remove', 'projects/api']);
  expect(alone).toMatchObject({ status: 1 });
  expect(alone.stderr).toContain('remove needs a terminal or --auto-approve; nothing was written');
  const no = await shell.run(['remove', 'projects/api/env/A'], { input: 'no\n', isTerminal: true });
  expect(no).toMatchObject({ status: 1 });
  expect((await shell.run(['remove', 'projects/ap'])).stderr).toContain('no address matches projects/ap');
  expect(text('trueup.yaml')).toBe(header + projects);
  const yes = await shell.run(['remove', 'projects/api/env/A'], { input: 'yes\n', isTerminal: true });
  expect(yes).toMatchObject({ status: 0 });
  expect(text('trueup.yaml')).not.toContain('api:\n    env');
});

story(
  'a container gets an entry of `removed:`: by default it is released, and the message says how to delete it',
  async () => {
    const { remove, text, shell } = await repository({ 'trueup.yaml': header + projects });
    const { stderr } = await remove('projects/api');
    expect(
      stderr,
    ).toContain(`The next apply stops managing projects/api, and deletes nothing. To delete it instead, change \`removed\` to:
  - { at: projects/api, delete: true, objects: 2 }
\`objects\` counts the declared ones. If the account has more in it, the plan is rejected and prints the number to write.
`);
    expect(text('trueup.yaml')).toContain(
      `${header}removed:\n  - { at: projects/api, delete: false }\nprojects:\n`,
    );
    const answered = await shell.run(['remove', 'projects/web'], { input: 'no\n', isTerminal: true });
    expect(answered).toMatchObject({ status: 1 });
    expect(answered.stderr).toContain(
      'deletes it with everything inside: 3 declared objects, and the plan is rejected if the account has more',
    );
    expect(answered.stderr).toContain('Nothing was written.');
    expect(text('trueup.yaml')).toContain('web');
  },
);

test.each([
  ['in all stages', 'projects/web', [], '  - { at: projects/web, delete: true, objects: 2 }\n'],
  [
    'in one stage',
    'projects/web/sandboxDrives/cache',
    ['--stage', 'prod'],
    `  - at: projects/web/sandboxDrives/cache
    delete: true
    objects: 1
    $when:
      stage: prod
`,
  ],
])('the entry that deletes a container is shown before it is chosen, %s', async (_, address, args, entry) => {
  const body = `${header}stages: { prod: {}, dev: {} }
projects:
  web: { sandboxDrives: { cache: { region: iad1 } } }
`;
  const { shell, text, remove } = await repository({ 'trueup.yaml': body });
  const words = ['remove', address, ...args];
  const declined = await shell.run(words, { input: 'no\n', isTerminal: true });
  expect(declined.stdout).toContain('delete: false');
  expect(declined.stderr).toContain(entry);
  expect(text('trueup.yaml')).toBe(body);
  const chosen = await shell.run(words, { input: 'delete\n', isTerminal: true });
  expect(chosen, chosen.all).toMatchObject({ status: 0 });
  expect(text('trueup.yaml')).toContain(entry);
  await shell.write({ 'trueup.yaml': body });
  expect((await remove(address, ...args)).stderr).toContain(entry);
});

story('an entry of `use:` goes with everything that it makes', async () => {
  const used = `templates:
  site:
    $inputs: { name: {} }
    projects: { "\${input.name}": { framework: nextjs } }
    domains: { "\${input.name}.acme.com": {} }
use:
  - site: { name: a }
  # B.
  - site: { name: b }
`;
  const one = await removed(used, 'projects/b');
  expect(one).toMatchObject({ status: 1, text: used });
  expect(one.stderr).toContain('projects/b comes from trueup.yaml:11, which also makes domains/b.acme.com');
  const both = await removed(used, 'projects/b', 'domains/b.acme.com');
  expect(both, both.stderr).toMatchObject({ status: 0, lines: ['-  # B.', '-  - site: { name: b }'] });
  const constant = used.replace('"${input.name}.acme.com"', 'acme.com').replace(/ {2}# B.*\n.*\n$/, '');
  const alone = await removed(constant, 'projects/a');
  expect(alone).toMatchObject({ status: 1, text: constant });
  expect(alone.stderr).toContain('domains/acme.com would be removed, too [remove/unproven]');
});

const stagedSites = {
  'trueup.yaml': `${header}stages: { prod: { variables: { end: '' } }, dev: { variables: { end: -dev } } }
variables: { end: {}, sites: { file: sites.csv } }
projects:
  site-\${each.key}\${var.end}: { $each: "\${var.sites}", nodeVersion: "\${each.value.node}", env: { A: 1, B: 2 } }
`,
  'sites.csv': 'code,node\nab,22.x\ncd,22.x\n',
};

story(
  'a row that makes an object of each stage: one error for its container, with the command that removes both',
  async () => {
    const { remove, text } = await repository(stagedSites);
    const { stderr, status } = await remove('projects/site-cd');
    expect(status).toBe(1);
    expect(
      stderr,
    ).toContain(`Error: projects/site-cd-dev and 2 objects in it would be removed, too [remove/unproven]
  -> nothing was written; to remove all of them: trueup remove projects/site-cd projects/site-cd-dev

1 error
`);
    expect(await remove('projects/site-cd', 'projects/site-cd-dev')).toMatchObject({ status: 0 });
    expect(text('sites.csv')).toBe('code,node\nab,22.x\n');
  },
);

story('the advice for one stage of a block with `$each` removes only the named object', async () => {
  const { remove, shell } = await repository(stagedSites);
  const { stderr } = await remove('projects/site-cd', '--stage', 'prod');
  const condition = '$when: { each.value.skip: { not: "${stage}" } }';
  expect(stderr).toContain(
    `write \`${condition}\` into the block, and \`skip: prod\` into its row at sites.csv:3`,
  );
  await shell.write({
    'trueup.yaml': stagedSites['trueup.yaml'].replace('$each:', `${condition}, $each:`),
    'sites.csv': 'code,node,skip\nab,22.x,\ncd,22.x,prod\n',
  });
  const namesIn = async (stage: string) =>
    (await shell.run(['render', '--stage', stage])).stdout.match(/site-[\w-]+/g);
  expect(await namesIn('prod')).toEqual(['site-ab']);
  expect(await namesIn('dev')).toEqual(['site-ab-dev', 'site-cd-dev']);
});

test('what cannot be written automatically is refused with what to write', async () => {
  const staged = 'stages: { prod: {}, dev: {} }\nprojects:\n  web: {}\n';
  const one = await removed(staged, 'projects/web', '--stage', 'prod');
  expect(one).toMatchObject({ status: 1, text: staged });
  expect(one.stderr).toContain(
    'projects/web cannot be removed from the stage prod alone [remove/shared]\n  at trueup.yaml:5:3',
  );
  const given = 'variables: { gone: { default: [] } }\nremoved: ${var.gone}\nprojects:\n  web: {}\n';
  const expression = await removed(given, 'projects/web');
  expect(expression).toMatchObject({ status: 1, text: given });
  expect(expression.stderr).toContain('`removed` cannot get new entries here [remove/unproven]');
});

story('a plan after it shows exactly that deletion, and an apply does it', async () => {
  const { shell, text } = await repository({ 'trueup.yaml': header + projects });
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  const ran = await shell.run(['remove', 'projects/api', 'projects/web/env/A'], {
    input: 'delete\n',
    isTerminal: true,
  });
  expect(ran, ran.all).toMatchObject({ status: 0 });
  expect(text('trueup.yaml')).toContain('removed:\n  - { at: projects/api, delete: true, objects: 2 }\n');
  expect(await shell.run(['validate'])).toMatchObject({ status: 0 });
  const plan = JSON.parse((await shell.run(['plan', '--json'])).stdout);
  expect(plan.diagnostics).toEqual([]);
  const changed = plan.changes.filter(({ action }: { action: string }) => action !== 'noop');
  expect(
    changed.map(({ action, address }: { action: string; address: string }) => `${action} ${address}`),
  ).toEqual([
    'delete projects/api',
    'delete projects/web/env/A@development',
    'delete projects/web/env/A@preview',
    'delete projects/web/env/A@production',
  ]);
  expect(await shell.run(['apply', '--auto-approve'])).toMatchObject({ status: 0 });
  expect(twin.account.projects.map(({ name }) => name)).toEqual(['web']);
});

test('a variable whose block hides that of a template is dropped as well', async () => {
  const body = `templates:
  base:
    env:
      LEVEL:
        - { value: info, target: [production] }
        - { value: warn, target: [development] }
projects:
  api:
    $use: base
    env:
      LEVEL: { value: debug, target: [preview] }
      OTHER: 1
  web: { $use: base }
`;
  const lines = [
    '-      LEVEL: { value: debug, target: [preview] }',
    '+patches:',
    '+  - $at: projects/api',
    '+    $drop: [env/LEVEL@production, env/LEVEL@development]',
  ];
  for (const address of ['projects/api/env/LEVEL', 'projects/api/env/LEVEL@preview', 'projects/api/env/L*'])
    expect(await removed(body, address)).toMatchObject({ status: 0, lines, stderr: 'Wrote trueup.yaml.\n' });
});

test('a variable that only one stage hides is not removed from the others', async () => {
  const { remove, texts } = await repository({
    'trueup.yaml': `${header}stages: { prod: {}, dev: {} }
templates:
  base: { env: { LEVEL: { value: info, target: [production] } } }
projects:
  api: { $use: base }
patches:
  - { $when: { stage: dev }, $at: projects/api, env: { LEVEL: { value: debug, target: [preview] } } }
`,
  });
  const before = texts();
  const refused = await remove('projects/api/env/LEVEL@preview');
  expect(refused.stderr).toContain('projects/api/env/LEVEL would be removed, too [remove/unproven]');
  expect(texts()).toEqual(before);
  expect(await remove('projects/api/env/LEVEL')).toMatchObject({ status: 0 });
  expect(texts()['trueup.yaml']).toContain('  - $at: projects/api\n    $drop: [env/LEVEL]\n');
});

story('random configurations: without an object, everything else is byte for byte as before', async () => {
  const outcomes = { removed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(configurations, fc.nat(), async (files, choice) => {
      const { configuration, remove, texts, shell } = await repository(files);
      const loaded = await configuration();
      expect(loaded.diagnostics).toEqual([]);
      const before = plain(loaded);
      const addresses = [...before.keys()];
      const address = addresses[choice % addresses.length]!;
      const ran = await remove(address);
      const after = await configuration();
      if (ran.status !== 0) {
        outcomes.refused++;
        expect(ran.all).toMatch(/\[remove\/(named|shared)\]|\[patch\/nothing\]/);
        expect(texts()).toEqual(files);
        return;
      }
      outcomes.removed++;
      expect(after.diagnostics).toEqual([]);
      const isGone = (other: string) => other === address || other.startsWith(`${address}/`);
      expect(plain(after)).toEqual(new Map([...before].filter(([other]) => !isGone(other))));
      // Whole lines go; other lines change only where something in brackets went, or by a patch that drops the object.
      const lines = new Set(Object.values(files).join('\n').split('\n'));
      const added = Object.values(texts())
        .join('\n')
        .split('\n')
        .filter((line) => !lines.has(line));
      expect(added.length).toBeLessThanOrEqual(4);
      rmSync(shell.folder, { recursive: true, force: true });
    }),
    { numRuns: runs(400) },
  );
  expect(outcomes.removed).toBeGreaterThan(outcomes.refused);
});
