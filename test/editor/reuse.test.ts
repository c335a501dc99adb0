import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import type { DeclaredNames } from '../../src/config/editor/declared-names.ts';
import { editorSchema } from '../../src/config/editor/editor-schema.ts';
import { childKinds } from '../../src/kind/define-kind.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { configure } from '../config/configure.ts';
import { companyOf } from '../support/company.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { type Block, samples } from '../support/samples.ts';
import { oneStoryIn, sampled } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { Editor } from './client.ts';

const story = oneStoryIn(4);

const modeline = (schema: string) => `# yaml-language-server: $schema=${schema}.json\n`;
const folder = mkdtempSync(join(tmpdir(), 'trueup-editor-'));
const root = pathToFileURL(folder).href;
let editor: Editor;

/** What the configuration held when its schema was written. */
const known: DeclaredNames = {
  templates: [
    {
      name: 'site',
      kind: 'project',
      inputs: [
        { name: 'country', values: ['at', 'de'], description: 'Where it is.', isRequired: true },
        { name: 'geo', type: 'boolean', isRequired: false },
      ],
    },
    { name: 'zone', kind: 'domain', inputs: [] },
    { name: 'tenant', inputs: [{ name: 'name', isRequired: true }] },
  ],
  variables: [
    { name: 'sites', isCollection: true },
    { name: 'apex', description: 'The domain of all.', isCollection: false },
  ],
  stages: ['production', 'staging'],
  isPatched: false,
};

beforeAll(async () => {
  writeFileSync(join(folder, 'plain.json'), JSON.stringify(editorSchema(kinds)));
  writeFileSync(join(folder, 'known.json'), JSON.stringify(editorSchema(kinds, known)));
  editor = await Editor.start(root);
});
afterAll(async () => {
  await editor.stop();
  rmSync(folder, { recursive: true });
});

/** What is marked in these texts, as `line: message`, with the text of the line. */
async function problemsOf(texts: string[], schema = 'plain'): Promise<string[]> {
  const text = texts.map((one) => modeline(schema) + one).join('---\n');
  const lines = text.split('\n');
  const { diagnostics } = await editor.open(root, text);
  return diagnostics.map(({ message, range }) => `${lines[range.start.line]!.trim()}: ${message}`);
}

/** The files, once it is sure that they load, for `stage` if they have any. */
async function loaded(files: string | Record<string, string>, stage?: string): Promise<string[]> {
  const { diagnostics } = await configure(files, { kinds, ...(stage ? { stage } : {}) });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return typeof files === 'string' ? [files] : Object.values(files);
}

const offered = async (marked: string) =>
  (await editor.completions(root, modeline('known') + marked)).map(({ label }) => label);

const rule = `active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /a }] }], action: { mitigate: { action: deny } }`;

/** Configurations that are right, each with something that a block alone would have wrong. */
const right: Record<string, string | Record<string, string>> = {
  'all of the language': `stack: x
variables:
  apex: { default: acme.com }
  api: { default: "https://api.\${var.apex}" }
  countries: { default: [at, de] }
  tenants: { default: { red: { size: 3 } } }
  more: { default: [production] }
  optional: { default: {} }
secrets:
  db: { env: "DB_\${key | snake}" }
  file: { dotenv: .env }
  own: { json: {} }
  ci: { json: { env: ALL } }
  cli: { dotenv: { command: [op, read, x] } }
  kept: { sops: secrets/prod.yaml }
  none: {}
templates:
  common: { env: { LOG: info } }
  site:
    $kind: project
    $inputs:
      country: { pattern: "[a-z]{2}", description: Which. }
      geo: { type: boolean, default: false }
      size: { type: integer, values: [1, 2], default: 1 }
      host: { default: "\${input.country}.\${var.apex}" }
    $use: [common]
    framework: nextjs
    env:
      LEGAL: "Acme \${input.country | upper}"
      OWN: "\${project.name}"
      DB: { value: "\${secret.db[input.country]}", target: ["...\${var.more}"] }
      LATER: { target: [production] }
    domains: { "\${input.host}": {} }
    firewall:
      crs: { "\${each.key}": { $each: [sqli, xss], active: true, action: deny } }
      rules:
        - { name: office, ${rule} }
        - { $when: "\${input.geo}", name: geo, ${rule} }
  partial: { $when: { stage: { set: false } } }
  tenant: { $inputs: { name: {} }, projects: { "t-\${input.name}": { env: { A: { value: b } } } } }
projects:
  site-\${each.key}:
    $each: "\${var.countries}"
    $use: { site: { country: "\${each.key}", geo: true } }
    env: { LATER: a, EXTRA: { value: c } }
    firewall: { rules: [{ name: geo, active: false }, { $before: office, name: health, ${rule} }] }
  plain:
    $use: common
    $drop: [env/LOG]
  other: { $when: { var.apex: [acme.com, { not: x }], var.api: { not: [y] } } }
use:
  - { $each: "\${var.tenants}", $when: true, tenant: { name: "\${each.key}" } }
patches:
  - { $at: "projects/site-{at,de}", $use: { site: { size: 2 } }, resourceConfig: { buildQueue: { configuration: SKIP_NAMESPACE_QUEUE } } }
  - { $at: projects/site-de, $when: { var.apex: { not: b } }, $drop: [env/LEGAL], firewall: { rules: [{ $last: true, name: z, ${rule} }] } }
  - { $at: "projects/*/env/LOG", value: debug }
  - { $at: projects/other, env: { LOG: { value: x } } }
  - { $at: "projects/**/env/EXTRA", value: debug }
domains:
  "\${var.apex}":
    records:
      - { $each: [{ n: a }, { n: b }], type: A, name: "\${each.value.n}", value: 192.0.2.1 }
`,
  'a patch gives what a block lacks': `projects: { web: { firewall: { rules: [{ name: a }] } } }
patches: [{ $at: projects/web/firewall/rules/a, ${rule} }]
`,
  'a template gives the name of a list item, and members of an object': `templates:
  r: { $kind: firewallRule, name: a, ${rule} }
  p: { $kind: project, firewall: { managedRules: { vercel_ruleset: { active: true, groups: { a: { active: true } } } } } }
projects:
  web:
    $use: p
    firewall: { rules: [{ $use: r }], managedRules: { vercel_ruleset: { groups: { a: { action: log } } } } }
`,
  'several files, each a part': {
    'a.yaml': `projects: { web: { $use: base } }\nsharedEnv: { A: { value: x, projectId: ["w*"] } }\n`,
    'b.yaml': `projects: { web: { $when: true, domains: { a.com: {} } } }\n`,
    'c.yaml': `templates: { base: { $kind: project, nodeVersion: 22.x } }\n`,
  },
  'a further record of one name': `templates: { z: { $kind: domain, records: [{ type: TXT, name: "@", value: a }] } }
domains: { a.com: { $use: [{ z: {} }], records: [{ $add: true, type: TXT, name: "@", value: b }] } }
`,
};

describe('what loads is taken', () => {
  it.each(sampled(Object.entries(right), 2))('%s', async (_, files) => {
    const texts = await loaded(files);
    expect(await problemsOf(texts)).toEqual([]);
    // Nothing here is in that schema: names are offered, and others are right.
    expect(await problemsOf(texts, 'known')).toEqual([]);
  });

  story('stages, whose files may give what a block lacks', async () => {
    const files = {
      'trueup.yaml': `stack: x@one
stages: { production: { files: prod.yaml, variables: { a: 1 }, platform: { personal: true } }, staging: { files: [prod.yaml] } }
variables: { a: { default: 0 } }
projects: { "web-\${stage}": { $when: { stage: [production, staging] }, firewall: { rules: [{ name: a }] } } }
`,
      'prod.yaml': `patches: [{ $at: projects/*/firewall/rules/a, ${rule} }]\n`,
    };
    for (const stage of ['production', 'staging'])
      expect(await problemsOf(await loaded(files, stage), 'known')).toEqual([]);
  });

  story('a company of one template', async () => {
    expect(await problemsOf(await loaded(companyOf(60)), 'known')).toEqual([]);
  });

  story('the configurations of test/cases and test/reuse', async () => {
    const texts = ['test/cases', 'test/reuse'].flatMap((place) =>
      readdirSync(place, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => readFileSync(join(place, name), 'utf8')),
    );
    const fine: string[] = [];
    for (const text of texts) if (!hasErrors((await configure(text, { kinds })).diagnostics)) fine.push(text);
    expect(fine.length).toBeGreaterThan(40);
    expect(await problemsOf(fine)).toEqual([]);
  });

  const shown = allKinds.filter(({ name }) => samples[name]);
  it.each(sampled(shown, 1).map((kind) => [kind.name, kind] as const))(
    'samples of %s, out of templates and patches',
    async (_, kind) => {
      const cases = casesOf(kind);
      const texts = [0, 1]
        .map((step) => bodyOf(kind, cases, step))
        .flatMap((body) => [
          { templates: { all: body }, use: ['all'] },
          { ...inTemplates(body), stack: 'test' },
          { ...inPatches(body), stack: 'test' },
        ])
        .map((body) => stringify({ stack: 'test', ...body }, { aliasDuplicateObjects: false }));
      const fine: string[] = [];
      for (const text of texts)
        if (!hasErrors((await configure(text, { kinds })).diagnostics)) fine.push(text);
      expect(fine.length).toBeGreaterThanOrEqual(texts.length / 2);
      expect(await problemsOf(fine)).toEqual([]);
    },
  );
});

describe('what is wrong', () => {
  story('is marked in templates, patches, stages and what they are made of', async () => {
    expect(
      await problemsOf([
        `templates:
  site:
    $kind: project
    framewrk: nextjs
    env: { A: { valu: x } }
  zone: { $kind: zone }
  in: { $inputs: { a: { typ: string }, b: { type: text } } }
  open: { anything: 1, projects: { web: { framewrk: x } } }
projects:
  web:
    $drop: env/A
    $when: { stage: { nott: x } }
    $use: 1
    env: { A: { $first: true, value: x } }
    firewall: { rules: [{ $first: yes, name: a }, { name: b, $add: true }] }
secrets: { a: { json: { path: x } }, b: { sops: x, env: y } }
stages: { production: { variable: {} } }
include: { a: b }
`,
        `patches:
  - { $at: "projects/*", valu: x }
  - { $at: "projects/*/env/A", framework: nextjs }
  - { framework: nextjs }
`,
        `projects: { web: { webhooks: 1, rollingRelease: { $when: true } } }\n`,
        `templates: { t: {} }\nprojects: { web: { firewall: { rules: [{ name: a }] } } }\n`,
      ]),
    ).toEqual([
      'framewrk: nextjs: Property framewrk is not allowed.',
      'env: { A: { valu: x } }: Property valu is not allowed.',
      expect.stringContaining(
        'zone: { $kind: zone }: Value is not accepted. Valid values: "project", "customEnvironment"',
      ),
      'in: { $inputs: { a: { typ: string }, b: { type: text } } }: Property typ is not allowed.',
      'in: { $inputs: { a: { typ: string }, b: { type: text } } }: Value is not accepted. Valid values: "string", "number", "integer", "boolean", "list", "map".',
      '$drop: env/A: Incorrect type. Expected "array".',
      '$when: { stage: { nott: x } }: Property nott is not allowed.',
      '$use: 1: Incorrect type. Expected one of object, string, array.',
      'env: { A: { $first: true, value: x } }: Property $first is not allowed.',
      'firewall: { rules: [{ $first: yes, name: a }, { name: b, $add: true }] }: Value is not accepted. Valid values: true.',
      'firewall: { rules: [{ $first: yes, name: a }, { name: b, $add: true }] }: Property $add is not allowed.',
      'secrets: { a: { json: { path: x } }, b: { sops: x, env: y } }: Property path is not allowed.',
      'secrets: { a: { json: { path: x } }, b: { sops: x, env: y } }: Object has more properties than limit of 1.',
      'stages: { production: { variable: {} } }: Property variable is not allowed.',
      'include: { a: b }: Incorrect type. Expected "string".',
      '- { $at: "projects/*", valu: x }: Property valu is not allowed.',
      '- { $at: "projects/*/env/A", framework: nextjs }: Property framework is not allowed.',
      '- { framework: nextjs }: Missing property "$at".',
      'projects: { web: { webhooks: 1, rollingRelease: { $when: true } } }: Property webhooks is not allowed.',
      'projects: { web: { webhooks: 1, rollingRelease: { $when: true } } }: Missing property "advancementType".',
      'projects: { web: { webhooks: 1, rollingRelease: { $when: true } } }: Missing property "stages".',
      'projects: { web: { firewall: { rules: [{ name: a }] } } }: Missing property "active".',
      'projects: { web: { firewall: { rules: [{ name: a }] } } }: Missing property "conditionGroup".',
      'projects: { web: { firewall: { rules: [{ name: a }] } } }: Missing property "action".',
    ]);
  });
});

describe('completion', () => {
  it('offers templates that fit, and their inputs', async () => {
    const inProject = (line: string) => offered(`projects:\n  web:\n    ${line}`);
    expect(await inProject('$use: |')).toEqual(expect.arrayContaining(['site', 'tenant']));
    expect(await inProject('$use: |')).not.toContain('zone');
    expect(await inProject('$use:\n      |')).toEqual(expect.arrayContaining(['site', 'tenant']));
    expect(await inProject('$use:\n      - |')).toEqual(expect.arrayContaining(['site', 'tenant']));
    expect(await inProject('$use:\n      site:\n        |')).toEqual(['country', 'geo']);
    expect(await inProject('$use:\n      site:\n        country: |')).toEqual(['at', 'de']);
    expect(await inProject('$use:\n      site:\n        geo: |')).toEqual(['true', 'false']);
    expect(await offered('use:\n  - |')).toEqual(expect.arrayContaining(['$each', '$when', 'tenant']));
    expect(await offered('use:\n  - |')).not.toContain('site');
  });

  it('offers variables and stages', async () => {
    expect(await offered('projects:\n  web:\n    $each: |')).toEqual(['${var.sites}']);
    expect(await offered('projects:\n  web:\n    $when:\n      |')).toEqual(
      expect.arrayContaining(['stage', 'var.sites', 'var.apex']),
    );
    expect(await offered('projects:\n  web:\n    $when:\n      stage: |')).toEqual(
      expect.arrayContaining(['production', 'staging']),
    );
    // Not `ledger`: a stage has none of its own.
    expect(await offered('stages:\n  production:\n    |')).toEqual(['variables', 'platform', 'files']);
    expect(await offered('stages:\n  production:\n    variables:\n      |')).toEqual(['sites', 'apex']);
  });

  it('offers the fields of a template and of a patch, by `$kind` and by the form of `$at`', async () => {
    expect(await offered('templates:\n  a:\n    |')).toEqual(
      expect.arrayContaining(['$kind', '$inputs', '$use', 'projects', 'domains']),
    );
    expect(await offered('templates:\n  a:\n    $kind: |')).toEqual(allKinds.map(({ name }) => name));
    const inTemplate = await offered('templates:\n  a:\n    $kind: project\n    |');
    expect(inTemplate).toEqual(expect.arrayContaining(['framework', 'env', '$use', '$drop', '$inputs']));
    expect(inTemplate).not.toContain('records');
    const at = (address: string) => offered(`patches:\n  - $at: "${address}"\n    |`);
    expect(await at('projects/site-*')).toEqual(expect.arrayContaining(['framework', '$drop']));
    const ofVariable = await at('projects/*/env/LOG_{A,B}');
    expect(ofVariable).toEqual(expect.arrayContaining(['value', 'target']));
    expect(ofVariable).not.toContain('framework');
    expect(await at('domains/a.com/records/@/A')).toEqual(expect.arrayContaining(['mxPriority']));
    expect(await at('projects/**')).not.toContain('framework');
    expect(await offered('patches:\n  - $at: |')).toEqual(
      expect.arrayContaining(['projects/*', 'projects/*/env/*', 'projects/*/firewall']),
    );
    const inRule = await offered('projects:\n  web:\n    firewall:\n      rules:\n        - |');
    expect(inRule).toEqual(expect.arrayContaining(['$first', '$before', '$use']));
    expect(inRule).not.toContain('$add');
  });
});

it('hover says what the keys of layers are, each once', async () => {
  const places: [string, string][] = [
    ['projects:\n  web: { $us|e: site }', 'Templates this is based on'],
    ['projects:\n  web: { $wh|en: true }', 'Applies only if'],
    ['projects:\n  web: { $use: { site: { cou|ntry: at } } }', 'Where it is.'],
    ['templates:\n  a: { $ki|nd: project }', 'The kind of block'],
    ['templates:\n  a: { $kind: project, framew|ork: x }', 'The framework that decides'],
    ['patches:\n  - { $a|t: projects/web }', 'The address or glob of the blocks'],
    ['patches:\n  - { $at: projects/web, framew|ork: x }', 'The framework that decides'],
    ['stages:\n  production: { variables: { ap|ex: x } }', 'The domain of all.'],
  ];
  for (const [marked, words] of places) {
    const shown = await editor.hover(root, modeline('known') + marked);
    expect(shown.split(words), marked).toHaveLength(2);
    expect(shown, marked).not.toContain('||');
  }
});

/** The body with each block of a root map in a template of its own, and nothing left in the block. */
function inTemplates(body: Block): Block {
  const templates: Block = {};
  const rest = mapRoots(body, (kind, block) => {
    const name = `t${Object.keys(templates).length}`;
    templates[name] = { $kind: kind, ...block };
    return { $use: name };
  });
  return { ...rest, templates };
}

/** The body with empty blocks, to which patches give all that they had. */
function inPatches(body: Block): Block {
  const patches: Block[] = [];
  const rest = mapRoots(body, (_, block, address) => {
    patches.push({ $at: address, ...block });
    return {};
  });
  return { ...rest, patches };
}

function mapRoots(body: Block, change: (kind: string, block: Block, address: string) => Block): Block {
  const roots = new Map(childKinds(kinds, undefined).map((kind) => [kind.section, kind]));
  return Object.fromEntries(
    Object.entries(body).map(([section, value]) => {
      const kind = roots.get(section);
      if (kind?.yaml.mapBy === undefined || typeof value !== 'object') return [section, value];
      const entries = Object.entries(value as Block).map(([name, block]) =>
        typeof block === 'object' && block !== null && !Array.isArray(block)
          ? [name, change(kind.name, block as Block, `${section}/${name}`)]
          : [name, block],
      );
      return [section, Object.fromEntries(entries)];
    }),
  );
}
